unset p l e n
ENV=/dev/fd/3; export ENV
exec "$SHELL" --posix @LOGIN@ -i 3<<'#@EOS'
@HOOK@
#@EOS
