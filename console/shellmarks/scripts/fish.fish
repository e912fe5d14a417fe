# Sourced after the account's own files, before the first prompt.
# A pager starts no program, whoever starts the pager: its keys are not judged.
set -gx LESSSECURE 1
set -g __c_m ''; set -g __c_k ''; set -g __c_s 0; set -g __c_n 0; set -g __c_line ''; set -g __c_st ''; set -g __c_new 1; set -g __c_ok ''; set -g __c_d ''
set -g __c_ldr @LOADER@; set -g __c_ldx @LOADERX@
function __c_hello
  set -l f (string split ';' -- (command sh -c 'stty -echo </dev/tty; printf "\033]7770;READY\007" >/dev/tty; while IFS= read -r l </dev/tty; do case $l in [0-9a-f]*\;[0-9a-f]*) break;; esac; done; stty echo </dev/tty; printf "%s;" "$l"; if [ "$SSH_TTY" -ef /dev/stdin ]; then echo "$SSH_TTY"; else tty; fi'))
  set -g __c_m $f[1]; set -g __c_k $f[2]; set -g __c_tty $f[3]
end
function __c_enc
  set -l o (string split \n -- "$argv[1]" | string replace -a '\\' '\\\\' | string replace -a ';' '\\x3b' | string join '\\x0a')
  if string match -qr '[\x01-\x09\x0b-\x1f\x7f]' -- $o
    for c in 01 02 03 04 05 06 07 08 09 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f 7f
      set -l ch (printf "\\x$c"); set o (string replace -a -- $ch "\\x$c" $o)
    end
  end
  echo -n $o
end
function __c_emit; printf '\e]7770;%s;%s\a' $__c_m "$argv[1]" >/dev/tty; end
function __c_state
  set -l cs "$LC_ALL"; test -n "$cs"; or set cs "$LC_CTYPE"; test -n "$cs"; or set cs "$LANG"; test -n "$cs"; or set cs C
  test (string length -- 中) = 1; and set cs UTF-8
  set -l out; set -l seen
  for w in (string match -ra '[A-Za-z0-9_./+@%-]+' -- $__c_line)[1..64]
    string match -q -- '-*' $w; and continue
    contains -- $w $seen; and continue
    set -a seen $w
    if functions -q -- $w; and not string match -q -- "$__fish_data_dir/*" (functions --details -- $w)
      set -a out ";f:$w"
    else if builtin -q -- $w
      set -a out ";b:$w"
    else if not string match -q '*/*' -- $w
      set -l p (command -s -- $w); and set -a out ";p:$w:"(__c_enc $p)
    end
  end
  set -g __c_st (__c_enc $cs | string collect -a)";comments,braces"(string join '' -- $out | string collect -a)
end
function __c_request
  set -l b (commandline -b | string collect -a)
  if string match -q '*'\x1e'*' -- $b; set b (string replace -a \x1e '' -- $b | string collect -a); commandline -r -- $b; end
  set -l old $__c_line; set -l st $__c_st
  set -g __c_line $b
  __c_state
  if test $argv[1] != q -o -n "$__c_new" -o "$old" != "$__c_line" -o "$st" != "$__c_st"; set -g __c_s (random 1 2147483647); end
  set -g __c_new ''
  __c_emit "R;$__c_s;$argv[1];"(__c_len)";"(__c_enc "$__c_line" | string collect -N -a)";$__c_st"
end
function __c_len
  set -l n -1
  test -z "$__c_line"; and echo 0; and return
  for l in (string split \n -- $__c_line); set n (math $n + 1 + (string length -- "$l")); end
  echo $n
end
function __c_q
  commandline --is-valid
  if test $status -eq 2; or string match -qr '(^|[^\\\\])(\\\\\\\\)*\\\\$' -- (commandline -b)[-1]; commandline -f end-of-buffer; commandline -i \n; __c_emit "L;$__c_s"; return; end
  __c_request q
end
function __c_b; __c_request B; end
function __c_v
  set -l t; read -z t </dev/tty; or begin; __c_emit 'N;timeout'; return; end
  set -l f (string split ';' -- $t)
  if test "$f[3]" != "$__c_k" -o "$f[2]" != "$__c_s"; __c_emit 'N;token'; return; end
  set -l cur (commandline -b | string collect -a)
  set -g __c_m $f[4]; set -g __c_k $f[5]; set -g __c_new 1
  if test "$f[1]" = deny; __c_emit 'N;denied'; return; end
  if test "$cur" != "$__c_line"; __c_emit 'N;changed'; return; end
  if test "$f[1]" = more; and string match -qr '\S' -- $cur; commandline -i \n; __c_emit "L;$__c_s"; return; end
  if test "$f[1]" = frame
    set -g __c_line (printf %b "$f[7]" | string collect -N -a); test (string length -- "$f[7]") = "$f[6]"; or begin; __c_emit 'N;inject'; return; end
    set -l w (string match -r '\S+' -- $cur)
    if string match -q '*/*' -- $w; commandline -r -- $__c_line; else; set -g __c_fw $w; eval "function $w; functions -e $w; $__c_line; end"; set -g __c_line $cur; end
  end
  commandline --is-valid
  if test $status -eq 1; __c_emit 'N;syntax'; set -g __c_acc 1; builtin commandline -f execute; set -e __c_acc; return; end
  __c_emit "G;$__c_s"; set -g __c_ok 1
  set -g __c_acc 1; builtin commandline -f execute; set -e __c_acc
end
function __c_put
  set -l t; read -z t </dev/tty; or begin; __c_emit 'N;inject'; return 1; end
  set -l f (string split ';' -- $t)
  if test (string length -- "$f[2]") != "$f[1]"; __c_emit 'N;inject'; return 1; end
  set -g __c_txt (printf %b "$f[2]" | string collect -N -a)
  return 0
end
function __c_i; __c_put; or return; commandline -r -- $__c_txt; commandline -f end-of-buffer; set -e __c_txt; __c_request i; end
function __c_p; __c_put; or return; commandline -i -- $__c_txt; set -e __c_txt; end
function __c_done -a rc; __c_emit "D;$rc;$__c_s;"(__c_enc "$PWD" | string collect -N -a); end
function __c_prompt_ev --on-event fish_prompt
  set -l rc $status
  set -q __c_w; or __c_user
  test -n "$__c_d"; or __c_done $rc
  set -q __c_fw; and functions -q $__c_fw; and functions -e $__c_fw; set -e __c_fw
  set -g __c_d ''; set -g __c_ok ''; set -g __c_new 1; set -g __c_n (math $__c_n + 1)
  if not string match -q '*__c_prompt_mark*' -- (functions fish_prompt | string collect)
    functions -q __c_orig_prompt; and functions -e __c_orig_prompt
    functions -c fish_prompt __c_orig_prompt
    function fish_prompt; __c_orig_prompt; __c_prompt_mark; end
  end
  __c_bind
end
function __c_user; set -g __c_w 1; __c_emit "W;"(__c_enc (bind --user 2>/dev/null | string match -v '*__c_*' | string collect) | string sub -l 4000 | string collect -N -a); end
function __c_prompt_mark; printf '\e]7770;%s;B;%s\a' $__c_m $__c_n; end
# fish leaves the status as it was when a job is stopped.
function __c_stopped; builtin jobs -q; or return 0; set -lx LC_ALL C; builtin jobs | string replace -rf '^\d+\t(\d+)\t(?:[^\t]*\t)?stopped\t.*' '$1'; end
function __c_post --on-event fish_postexec
  set -l rc $status; set -g __c_d 1
  for g in (__c_stopped); contains -- $g $__c_j; or set rc 148; end
  __c_done $rc
end
function __c_pre --on-event fish_preexec
  set -l a (printf %s "$argv[1]" | string collect -N -a)
  if test -z "$__c_ok" -o "$a" != "$__c_line"; __c_emit "U;$__c_s;"(__c_enc "$argv[1]" | string collect -N -a); exec sh -c $__c_ldr; end
  set -g __c_ok ''
  set -g __c_j (__c_stopped)
  __c_emit "C;$__c_s"
end
function commandline --wraps commandline
  if contains -- execute $argv; and not set -q __c_acc; __c_b; return; end
  builtin commandline $argv
end
# Keys that open an editor or a pager on the line: commands run in those that
# nobody judges.
for f in edit_command_buffer __fish_preview_current_file __fish_man_page
  function $f; __c_emit 'E;off'; end
end
function __c_bind
  for l in (bind --user | string match -r '^bind .* execute$')
    set -l w (string split ' ' -- $l); eval (string join ' ' -- $w[1..-2]) __c_b
  end
  for m in default insert visual
    bind -M $m \x1e __c_q; bind -M $m \x18\x1ev __c_v; bind -M $m \x18\x1ei __c_i; bind -M $m \x18\x1ep __c_p; bind -M $m \x18\x1ex expand-abbr
    bind -M $m \r __c_b; bind -M $m \n __c_b; bind -M $m \e\r 'commandline -i \n'; bind -M $m \e\n 'commandline -i \n'
  end
end
__c_hello
__c_emit "I;fish;$FISH_VERSION;$fish_pid;"(__c_enc $__c_tty | string collect -N -a)
functions -e __c_hello
