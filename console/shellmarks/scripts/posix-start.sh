unset p l e n
ENV=/dev/fd/3; export ENV
exec "$SHELL" @LOGIN@ -i 3<<'#@EOS'
@HOOK@
#@EOS
