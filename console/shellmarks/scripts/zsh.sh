# Read as the .zshenv of a folder that has just removed itself. The account's
# own folder and file come back first; the hooks are bound at the first prompt,
# after all of the account's files.
if [[ -n $__c_os ]]; then export ZDOTDIR=$__c_oz; else unset ZDOTDIR; fi
unset __c_oz __c_os __c_d
[[ -r ${ZDOTDIR:-$HOME}/.zshenv ]] && source "${ZDOTDIR:-$HOME}/.zshenv"
if [[ -o interactive ]]; then
# A pager starts no program, whoever starts the pager: its keys are not judged.
export LESSSECURE=1
typeset -g __c_m= __c_k= __c_s=0 __c_n=0 __c_ok= __c_line= __c_st= __c_new=1 __c_H= __c_inited= __c_fw= __c_in=
typeset -gA __c_opt; typeset -g __c_ldr=@LOADER@ __c_ldx=@LOADERX@
# read turns echo off before it writes READY, and back on: no program is started.
# A line that came ahead of the keys is none of them.
__c_hello() {
  local l
  IFS= builtin read -rs -t 30 $'l?\e]7770;READY\a' </dev/tty
  while [[ $? == 0 && $l != [0-9a-f]*\;[0-9a-f]* ]]; do IFS= builtin read -rs -t 30 l </dev/tty; done
  __c_m=${l%%;*} __c_k=${l#*;}
}
__c_enc() {
  emulate -L zsh; setopt no_multibyte; local s=${1//\\/\\\\} c o= i
  s=${s//;/\\x3b}; s=${s//$'\n'/\\x0a}
  if [[ $s == *[[:cntrl:]]* ]]; then for ((i=1;i<=$#s;i++)); do c=$s[i]; [[ $c == [[:cntrl:]] ]] && builtin printf -v c '\\x%02x' "'$c"; o+=$c; done; s=$o; fi
  REPLY=$s
}
__c_len() { emulate -L zsh; setopt no_multibyte; REPLY=$#1; }
__c_emit() { builtin printf '\e]7770;%s;%s\a' "$__c_m" "$1" >/dev/tty; }
__c_tok() { local __tv; IFS= builtin read -r -d ';' -t ${2:-5} __tv </dev/tty || return 1; typeset -g "$1=$__tv"; }
__c_rand() {
  emulate -L zsh; setopt no_multibyte; local x c; integer n=0
  zmodload zsh/system && sysread -s 4 x </dev/urandom || x=$RANDOM$RANDOM
  for c in ${(s::)x}; do n=$(( (n * 256 + #c) & 0x7fffffff )); done
  __c_s=$n
}
__c_word() {
  local w=$1
  [[ -n ${seen[$w]-} ]] && return; seen[$w]=1
  [[ -n ${galiases[$w]+1} || ( $w == *.* && -n ${saliases[${w##*.}]+1} ) ]] && gal=1
  if [[ -n ${aliases[$w]+1} ]]; then __c_enc "a:$w:${aliases[$w]}"; out+=";$REPLY"; __c_words "${aliases[$w]}"; fi
  if [[ -n ${functions[$w]+1} ]]; then out+=";f:$w"
  elif [[ -n ${builtins[$w]+1} ]]; then out+=";b:$w"
  elif [[ $w != */* && -n ${commands[$w]+1} ]]; then __c_enc "p:$w:${commands[$w]}"; out+=";$REPLY"; fi
}
__c_words() {
  local w; integer n=0
  for w in ${(s: :)${1//[^A-Za-z0-9_.\/+@%-]/ }}; do ((++n>64)) && break; [[ $#w -le 64 && $w != -* ]] && __c_word $w; done
}
__c_state() {
  local o= u=$'\xe4\xb8\xad' cs=${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} out= k v gal=
  local -A seen
  (($#u==1)) && cs=UTF-8
  for k v in interactivecomments comments extendedglob extglob kshglob extglob aliases aliases globsubst globsubst shwordsplit shwordsplit equals equals rcquotes rcquotes bareglobqual bareglobqual autocd autocd promptsubst promptvars; do
    [[ $__c_opt[$k] == on ]] && o+=,$v
  done
  [[ $__c_opt[ignorebraces] == off ]] && o+=,braces; [[ $__c_opt[clobber] == off ]] && o+=,noclobber
  __c_words "$__c_line"; [[ $gal ]] && o+=,galias
  __c_enc "$cs"; __c_st="$REPLY;${o#,}$out"
}
__c_request() {
  __c_opt=("${(@kv)options[@]}"); emulate -L zsh
  local old=$__c_line st=$__c_st
  [[ $BUFFER == *$'\x1e'* ]] && { BUFFER=${BUFFER//$'\x1e'/}; CURSOR=$#BUFFER; }
  __c_line=$BUFFER; __c_state $1
  [[ $1 != q || -n $__c_new || $old != "$__c_line" || $st != "$__c_st" ]] && __c_rand; __c_new=
  __c_len "$__c_line"; st=$REPLY; __c_enc "$__c_line"; __c_emit "R;$__c_s;$1;$st;$REPLY;$__c_st"
}
__c_expand() { [[ -o banghist && $BUFFER == *[\!^]* ]] && zle .expand-history 2>/dev/null; return 0; }
__c_apply() {
  emulate -L zsh
  local __c_v __sq __kk __m2 __k2
  __c_ok=
  __c_tok __c_vv $1 && __c_tok __c_sq && __c_tok __c_kk && __c_tok __c_m2 && __c_tok __c_k2 || { __c_emit 'N;timeout'; return 1; }
  if [[ $__c_vv == frame ]]; then __c_put || return 1; fi
  [[ $__c_kk == "$__c_k" && $__c_sq == "$__c_s" ]] || { __c_emit 'N;token'; return 1; }
  __c_m=$__c_m2 __c_k=$__c_k2 __c_new=1; unset __c_kk __c_m2 __c_k2 __c_sq
  if [[ $__c_vv == deny ]]; then __c_emit 'N;denied'; return 1
  elif [[ $BUFFER != "$__c_line" ]]; then __c_emit 'N;changed'; return 1; fi
  [[ $__c_vv == frame ]] && { local -a w=(${=__c_line}); __c_fw=$w[1]; functions[$__c_fw]="unfunction -- $__c_fw; $REPLY"; }
  if [[ $__c_vv == more && $BUFFER == *[^[:space:]]* ]]; then
    BUFFER+=$'\n'; CURSOR=$#BUFFER; __c_emit "L;$__c_s"; return 1
  fi
  __c_emit "G;$__c_s"; __c_ok=1
}
__c_accept() {
  __c_H=; [[ -o banghist ]] && { unsetopt banghist; __c_H=h; }; [[ -o correct ]] && { unsetopt correct; __c_H+=c; }; [[ -o correctall ]] && { unsetopt correctall; __c_H+=a; }
  [[ -o promptsp ]] && { unsetopt promptsp; __c_H+=p; }
  POSTDISPLAY=
  zle .accept-line
}
__c_q() { __c_fix; __c_expand; __c_request q; }
__c_v() { __c_apply 5 && __c_accept; }
__c_gate() { __c_fix; __c_expand; __c_request b; __c_apply 600 && __c_accept; }
__c_put() {
  emulate -L zsh; local x
  __c_tok __c_len && __c_tok __c_txt 30 && { setopt no_multibyte; [[ $#__c_txt == "$__c_len" ]]; } || { __c_emit 'N;inject'; return 1; }
  setopt multibyte; builtin printf -v x %b "$__c_txt"; unset __c_txt __c_len; REPLY=$x
}
__c_i() { __c_put || return 0; BUFFER=$REPLY; CURSOR=$#BUFFER; __c_fix; __c_request i; }
__c_p() { __c_put || return 0; LBUFFER+=$REPLY; }
__c_finish() { if [[ -z $__c_ok ]]; then __c_enc "$BUFFER"; __c_emit "U;$__c_s;$REPLY"; BUFFER=; fi; }
__c_precmd() {
  local rc=$? sp=
  [[ $__c_H == *h* ]] && setopt banghist; [[ $__c_H == *c* ]] && setopt correct; [[ $__c_H == *a* ]] && setopt correctall; [[ $__c_H == *p* ]] && { setopt promptsp; sp=1; }; __c_H=
  [[ -n $__c_fw ]] && { unfunction -- $__c_fw 2>/dev/null; __c_fw=; }
  __c_ok= __c_new=1
  [[ -n $__c_inited ]] || { __c_inited=1; __c_hello; __c_bind; __c_enc "$TTY"; __c_emit "I;zsh;$ZSH_VERSION;$$;$REPLY"; __c_user; }
  __c_enc "$PWD"; __c_emit "D;$rc;$__c_s;$REPLY"; __c_fix
  [[ $sp ]] && print -nP "${PROMPT_EOL_MARK-%B%S%#%s%b}${(l:COLUMNS-1:: :)}\r \r"
  return $rc
}
__c_preexec() { [[ -n $__c_ok ]] && __c_emit "C;$__c_s"; __c_ok=; }
__c_fix() {
  emulate -L zsh
  precmd_functions=(${precmd_functions:#__c_precmd} __c_precmd)
  preexec_functions=(${preexec_functions:#__c_preexec} __c_preexec)
  functions[edit-command-line]=__c_edit
  __c_wrap
}
__c_edit() { __c_emit 'E;off'; }
__c_linit() { emulate -L zsh; __c_ok=; case $CONTEXT in (start) __c_emit "B;$((++__c_n))";; (cont) __c_emit "2;0;$((++__c_n))";; (*) __c_ok=1;; esac; }
# Plugins wrap widgets again before each prompt, this one too: then it is called
# from within, and goes on to what was there first.
__c_tab() {
  if [[ $BUFFER == *[\`]* || $BUFFER == *(\$|=|\<|\>)\(* || $BUFFER == *\$\{*\(*\)* ]]; then zle -M 'completion is off while the line holds a substitution'; return 0; fi
  if [[ $__c_in == $WIDGET ]]; then zle __c_f_$WIDGET -- "$@"; else local __c_in=$WIDGET; zle __c_o_$WIDGET -- "$@"; fi
}
__c_wrap() {
  emulate -L zsh; local x
  for x in expand-or-complete expand-or-complete-prefix expand-word menu-expand-or-complete list-expand expand-cmd-path complete-word menu-complete list-choices; do
    [[ $widgets[$x] == user:__c_tab ]] || { [[ -n $widgets[__c_f_$x] ]] || zle -A $x __c_f_$x; zle -A $x __c_o_$x; zle -N $x __c_tab; }
  done
  for x in accept-line accept-and-hold accept-line-and-down-history accept-and-infer-next-history; do
    [[ $widgets[$x] == user:__c_gate ]] || zle -N $x __c_gate
  done
}
__c_bind() {
  emulate -L zsh; local w m
  for w in q v i p; do zle -N __c_$w; done
  for m in emacs viins vicmd; do
    bindkey -M $m $'\x1e' __c_q; bindkey -M $m $'\x18\x1ev' __c_v; bindkey -M $m $'\x18\x1ei' __c_i; bindkey -M $m $'\x18\x1ep' __c_p
  done
  autoload -Uz add-zle-hook-widget; add-zle-hook-widget line-finish __c_finish; add-zle-hook-widget line-init __c_linit
}
__c_user() {
  emulate -L zsh; local k v o=
  for k v in "${(@kv)widgets}"; do [[ $v == user:* && $v != user:__c_* && $v != user:_zsh_* && $k != *zle-line-* ]] && o+="widget $k ${v#user:}"$'\n'; done
  __c_enc "${${o[1,4000]}%$'\n'}"; __c_emit "W;$REPLY"
}
typeset -ga precmd_functions preexec_functions; precmd_functions+=(__c_precmd)
fi
