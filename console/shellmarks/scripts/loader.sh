exec sh -c 'command -v stty >/dev/null || exit 97; printf "\033]7770;LOADER;%s\007" "$SHELL"; p=$(sed "/^#@END/q"); stty echo; case $p in *"#@END") eval "$p";; esac'
