unset p l e n
exec "$SHELL" @LOGIN@ -i --init-command 'command cat <&3 | source' 3<<'#@EOS'
@HOOK@
#@EOS
