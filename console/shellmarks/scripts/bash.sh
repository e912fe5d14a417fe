# Runs in place of the profile: bash reads it as $ENV of an interactive posix
# shell. It goes back to normal mode, reads the account's own files as bash
# would have, then installs the hooks. Aliases and options of the account must
# not change what is read here.
set +o posix; shopt -u inherit_errexit; unset ENV POSIXLY_CORRECT; exec 3<&-
[[ ${HISTFILE-} == */.sh_history ]] && HISTFILE=~/.bash_history
if shopt -q login_shell; then
  [ -r /etc/profile ] && . /etc/profile
  for __c_f in ~/.bash_profile ~/.bash_login ~/.profile; do [ -r "$__c_f" ] && { . "$__c_f"; break; }; done; unset __c_f
else
  [ -r /etc/bash.bashrc ] && . /etc/bash.bashrc
  [ -r ~/.bashrc ] && . ~/.bashrc
fi
\shopt -q expand_aliases && __c_al=1; \shopt -u expand_aliases
# A pager starts no program, whoever starts the pager: its keys are not judged.
builtin export LESSSECURE=1
# read turns echo off before it writes READY, and back on: no program is started.
# A line that came ahead of the keys is none of them.
__c_hello() {
  local l
  IFS= builtin read -rs -t 30 -p $'\e]7770;READY\a' l </dev/tty 2>/dev/tty
  while [[ $? == 0 && $l != [0-9a-f]*\;[0-9a-f]* ]]; do IFS= builtin read -rs -t 30 l </dev/tty; done
  __c_m=${l%%;*} __c_k=${l#*;}
}
__c_enc() {
  local LC_ALL=C; local s=${1//\\/\\\\} c i o=
  s=${s//;/\\x3b}; s=${s//$'\n'/\\x0a}
  if [[ $s == *[[:cntrl:]]* ]]; then
    for ((i=0;i<${#s};i++)); do c=${s:i:1}; [[ $c == [[:cntrl:]] ]] && builtin printf -v c '\\x%02x' "'$c"; o+=$c; done; s=$o
  fi
  REPLY=$s
}
__c_emit() { builtin printf '\e]7770;%s;%s\a' "$__c_m" "$1" >/dev/tty; }
if ((BASH_VERSINFO[0]*100+BASH_VERSINFO[1]<501)); then
  __c_hello; set +o emacs +o vi +H
  PS1='\[\e]7770;$__c_m;D;$?;0;$PWD\a\]'${PS1-}'\[\e]7770;$__c_m;B\a\]'; PS2='\[\e]7770;$__c_m;2\a\]> '
  __c_enc "$(tty)"; __c_emit "I;bash;$BASH_VERSION;$$;$REPLY"
else
__c_ldr=@LOADER@ __c_ldx=@LOADERX@ __c_fr= __c_fw=
__c_c=(); __c_s=0 __c_n=0 __c_a=0 __c_line= __c_st= __c_new=1 __c_H= __c_ps1= __c_ps1w=- __c_ps2= __c_ps2w=- __c_ps0= __c_ps0w=-
declare -A __c_bi=()
__c_word() {
  local w=$1 t=
  [[ -n ${seen[$w]-} ]] && return; seen[$w]=1
  if [[ -n ${BASH_ALIASES[$w]+1} ]]; then
    t=${BASH_ALIASES[$w]}; __c_enc "a:$w:$t"; out+=";$REPLY"; __c_words "$t"
  fi
  if declare -F -- "$w" >/dev/null; then out+=";f:$w"
  elif [[ -n ${__c_bi[$w]-} ]]; then out+=";b:$w"
  elif [[ $w != */* ]]; then
    if [[ -n ${BASH_CMDS[$w]+1} ]]; then __c_enc "p:$w:${BASH_CMDS[$w]}"; out+=";$REPLY"
    elif builtin hash -- "$w" 2>/dev/null; then __c_enc "p:$w:${BASH_CMDS[$w]}"; out+=";$REPLY"; builtin hash -d -- "$w"; fi
  fi
}
__c_words() {
  local s=${1//[^A-Za-z0-9_.\/+@%-]/ } w n=0
  local -; set -f; local IFS=' '
  for w in $s; do ((++n>64)) && break; [[ ${#w} -le 64 && $w != -* ]] && __c_word "$w"; done
}
__c_state() {
  local o= u=$'\xe4\xb8\xad' cs=${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} out= bad=
  local -A seen=()
  ((${#u}==1)) && cs=UTF-8
  shopt -q interactive_comments && o+=,comments; shopt -q extglob && o+=,extglob; [[ $__c_al ]] && o+=,aliases
  [[ $- == *B* ]] && o+=,braces; [[ $- == *C* ]] && o+=,noclobber; [[ -o posix ]] && o+=,posix
  shopt -q autocd && o+=,autocd; shopt -q promptvars && o+=,promptvars
  [[ $1 != i && $- == *H* && $__c_line == *'!'* ]] && ! (builtin history -p -- "$__c_line") >/dev/null 2>&1 && o+=,badevent
  __c_words "$__c_line"; __c_enc "$cs"
  __c_st="$REPLY;${o#,}$out"
}
__c_request() {
  local old=$__c_line st=$__c_st al=
  shopt -q expand_aliases && __c_al=1 || __c_al=
  [[ $READLINE_LINE == *$'\036'* ]] && { READLINE_LINE=${READLINE_LINE//$'\036'}; READLINE_POINT=${#READLINE_LINE}; }
  __c_line=$READLINE_LINE; __c_state "$1"
  [[ $1 != q || $__c_new || $old != "$__c_line" || $st != "$__c_st" ]] && __c_s=$SRANDOM; __c_new=
  __c_len "$__c_line"; al=$REPLY; __c_enc "$__c_line"; __c_emit "R;$__c_s;$1;$al;$REPLY;$__c_st"
}
__c_tok() { local __c_tv; IFS= builtin read -r -d ';' -t "${2:-5}" __c_tv </dev/tty || return 1; builtin printf -v "$1" %s "$__c_tv"; }
__c_apply() {
  local v s k m2 k2 t=$1 nl
  bind '"\030\036a": ""'
  __c_tok v "$t" && __c_tok s && __c_tok k && __c_tok m2 && __c_tok k2 || { __c_emit 'N;timeout'; return 0; }
  [[ $v == frame ]] && { __c_put __c_fr || return 0; }
  [[ $k == "$__c_k" && $s == "$__c_s" ]] || { __c_emit 'N;token'; return 0; }
  __c_m=$m2; __c_k=$k2; __c_a=0; __c_new=1
  if [[ $v == deny ]]; then __c_emit 'N;denied'
  elif [[ $READLINE_LINE != "$__c_line" ]]; then __c_emit 'N;changed'
  else
    [[ $- == *H* ]] && { __c_H=1; set +H; }
    bind '"\030\036a": accept-line'; __c_emit "G;$__c_s"
    [[ $v == frame && $__c_line =~ ^[[:space:]]*([A-Za-z0-9_@%+:,./-]+) ]] && { __c_fw=${BASH_REMATCH[1]}; eval "function $__c_fw { unset -f -- $__c_fw; $__c_fr"$'\n}'; }
    if [[ $v != more ]]; then
      __c_c=('' $'\e]7770;'$__c_m';C;'$__c_s$'\a'); nl=${__c_line//[!$'\n']/}; __c_a=$((1+${#nl}))
    fi
  fi
}
__c_q() { { local -; set +xu; } 2>/dev/null; __c_fix; __c_request q; }
__c_v() { { local o=$-; set +xu; } 2>/dev/null; __c_apply 5; __c_opts "$o"; }
__c_b() { { local o=$-; set +xu; } 2>/dev/null; __c_fix; __c_request b; __c_apply 600; __c_opts "$o"; }
__c_opts() { [[ $1 == *u* ]] && set -u; [[ $1 == *x* ]] && set -x; return 0; }
__c_len() { local LC_ALL=C; REPLY=${#1}; }
__c_put() {
  local n h t; __c_tok n && __c_tok h 30 || { __c_emit 'N;inject'; return 1; }
  __c_len "$h"; [[ $REPLY == "$n" ]] || { __c_emit 'N;inject'; return 1; }
  builtin printf -v "$1" %b "$h"
}
__c_i() { { local -; set +xu; } 2>/dev/null; local x; __c_put x || return 0; READLINE_LINE=$x; READLINE_POINT=${#READLINE_LINE}; __c_fix; __c_request i; }
__c_p() { { local -; set +xu; } 2>/dev/null; local x; __c_put x || return 0; READLINE_LINE=${READLINE_LINE:0:READLINE_POINT}$x${READLINE_LINE:READLINE_POINT}; READLINE_POINT=$((READLINE_POINT+${#x})); }
__c_edit() { { local -; set +xu; } 2>/dev/null; __c_emit 'E;off'; }
__c_veto() { __c_emit "U;$__c_s"; [[ $(trap -p INT) ]] && kill -KILL $$; kill -INT $$; sleep 0.2; }
__c_pc() {
  local rc=$?; { local o=$-; set +xu; } 2>/dev/null
  [[ $__c_fw ]] && { unset -f -- "$__c_fw"; __c_fw=; }
  [[ $__c_H ]] && { set -H; __c_H=; }; __c_a=0 __c_new=1; __c_fix
  [[ ${PS0-} != "$__c_ps0w" ]] && { __c_ps0=${PS0-}; __c_ps0w='${__c_c[__c_a>0]:-$(__c_veto)}'$__c_ps0; PS0=$__c_ps0w; }
  __c_enc "$PWD"; __c_emit "D;$rc;$__c_s;$REPLY"
  bind '"\030\036a": ""' 2>/dev/null
  __c_opts "$o"; return $rc
}
__c_fix() {
  shopt -s promptvars
  [[ ${PS1-} != "$__c_ps1w" ]] && { __c_ps1=${PS1-}; __c_ps1w=$__c_ps1'\[\e]7770;${__c_m};B;$((++__c_n))\a\]'; PS1=$__c_ps1w; }
  [[ ${PS2-} != "$__c_ps2w" ]] && { __c_ps2=${PS2-}; __c_ps2w=$__c_ps2'\[\e]7770;${__c_m};2;$((__c_a=__c_a>1?__c_a-1:0));$((++__c_n))\a\]'; PS2=$__c_ps2w; }
  [[ "${PROMPT_COMMAND[*]}" == *__c_pc ]] || PROMPT_COMMAND=("${PROMPT_COMMAND[@]//__c_pc/:}" __c_pc)
  return 0
}
__c_rebind() {
  case $2 in
    accept-line|operate-and-get-next) bind -m $1 "$3: \"\\030\\036h\\030\\036b\\030\\036a\"";;
    edit-and-execute-command|vi-edit-and-execute-command) bind -m $1 -x "$3: __c_edit";;
    insert-comment|shell-expand-line) bind -m $1 "$3: \"\"";;
  esac
}
# What builtins print goes into the array o: by way of an unnamed file, where
# that can be had, since a subshell takes longer than all that it would run here.
# Bash before 5.1 keeps a here-string in such a file; later ones do when told to
# be like it.
__c_printed() {
  local r= w=; local BASH_COMPAT=5.0 2>/dev/null
  if { exec {r}<<<x; } 2>/dev/null && [[ -f /dev/fd/$r ]] && { exec {w}>|/dev/fd/$r; } 2>/dev/null; then
    "$@" >&$w 2>/dev/null; mapfile -t -u $r o; exec {w}>&-
  else mapfile -t o < <("$@" 2>/dev/null); fi
  [[ $r ]] && exec {r}<&-
  return 0
}
__c_keys() { for m in emacs-standard vi-insert vi-command; do echo "@$m"; bind -m $m -p; done; }
__c_list() {
  local m k
  echo @b; compgen -b; echo @x
  for m in emacs-standard vi-insert vi-command; do bind -m $m -X; done
  for m in emacs-standard vi-insert vi-command; do
    echo "@$m"; for k in accept-line operate-and-get-next edit-and-execute-command vi-edit-and-execute-command insert-comment shell-expand-line; do bind -m $m -q $k; done
  done
  echo @c; complete -p
}
__c_listed() {
  for k in "${o[@]}"; do case $k in
    @*) m=${k#@}; continue;;
  esac; case $m in
    b) __c_bi[$k]=1;;
    x) [[ -z $k || $k == *__c_* || $u == *"$k"* ]] || u+=$k$'\n';;
    c) [[ $k == *' -F '* || $k == *' -C '* ]] && { k=${k#* -[FC] }; k=${k%% *}; [[ $c == *" $k "* ]] || c+=" $k "; };;
    *) case $k in
      *' can be invoked via '*) f=${k%% *}; k=${k#* via }; k=${k%, ...}; k=${k%.}; k=${k//\", \"/\"$'\n'\"}; local IFS=$'\n'; for q in $k; do __c_rebind $m $f "$q"; done; IFS=$' \t\n';;
      '"'*'": '*) __c_rebind $m "${k##*: }" "${k%\": *}\"";;
    esac;;
  esac; done
}
__c_bind() {
  local m k f q u= c= sys= x= IFS=$' \t\n' -; local -a o=()
  for m in emacs-standard vi-insert vi-command; do
    bind -m $m -x '"\030\036q": __c_q'; bind -m $m -x '"\030\036w": __c_v'; bind -m $m -x '"\030\036b": __c_b'; bind -m $m -x '"\030\036i": __c_i'; bind -m $m -x '"\030\036p": __c_p'
    bind -m $m '"\030\036h": history-expand-line'; bind -m $m '"\030\036a": ""'
    bind -m $m '"\036": "\030\036h\030\036q"'; bind -m $m '"\030\036v": "\030\036w\030\036a"'
    bind -m $m '"\C-m": "\030\036h\030\036b\030\036a"'; bind -m $m '"\C-j": "\030\036h\030\036b\030\036a"'; bind -m $m '"\C-o": "\030\036h\030\036b\030\036a"'
  done
  bind -m vi-command -x '"v": __c_edit'; bind -m emacs-standard -x '"\C-x\C-e": __c_edit'
  __c_tty=${SSH_TTY-}; [[ $__c_tty -ef /dev/stdin ]] || __c_tty=$(tty)
  set -f; __c_printed __c_list; __c_listed
  [[ ${o[*]} == *', ...'* ]] && { __c_printed __c_keys; __c_listed; }
  [[ $c ]] && {
    shopt -q extdebug || { x=1; shopt -s extdebug; }
    __c_printed declare -F -- $c
    [[ $x ]] && shopt -u extdebug
    for k in "${o[@]}"; do q=${k#* }; q=${q#* }; [[ $q == /usr/* || $q == /etc/* ]] && sys+=" ${k%% *} "; done
    for k in $c; do [[ $sys == *" $k "* ]] || u+="complete $k"$'\n'; done
  }
  __c_enc "${u:0:4000}"; __c_usr=${REPLY%\\x0a}
}
__c_hello; __c_bind; __c_fix
readonly -f __c_enc __c_emit __c_word __c_words __c_state __c_request __c_tok __c_apply __c_q __c_v __c_b __c_put __c_i __c_p __c_edit __c_veto __c_pc __c_fix __c_opts __c_len
__c_enc "$__c_tty"; __c_emit "I;bash;$BASH_VERSION;$$;$REPLY"; __c_emit "W;$__c_usr"
unset -f __c_hello __c_bind __c_rebind __c_printed __c_keys __c_list __c_listed; unset __c_tty __c_usr
[[ $__c_al ]] && \shopt -s expand_aliases
fi
