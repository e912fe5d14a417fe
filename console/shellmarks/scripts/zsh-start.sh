unset p l e n d
for b in "${XDG_RUNTIME_DIR:-/nonexistent}" /dev/shm "${TMPDIR:-/tmp}"; do d="$b/.c.$$"; (umask 077; mkdir "$d") 2>/dev/null && break; d=; done
[ -n "$d" ] || exec "$SHELL" @LOGIN@ -i
printf '%s\n' 'rm -rf "$__c_d"; . /dev/fd/3; exec 3<&-' > "$d/.zshenv"
__c_oz="${ZDOTDIR-}" __c_os="${ZDOTDIR+x}" __c_d="$d" ZDOTDIR="$d"; export ZDOTDIR __c_d __c_oz __c_os
exec "$SHELL" @LOGIN@ -i 3<<'#@EOS'
@HOOK@
#@EOS
