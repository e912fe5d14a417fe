# Makes a repository of three packages and a root of its own in $HOME, and installs them with apt's progress bar.
set -e
export SOURCE_DATE_EPOCH=1000000000 # the time of a file is in the package: two runs make packages of one size
d=$HOME
mkdir -p "$d/repo" "$d/state/lists/partial" "$d/cache/archives/partial" "$d/log" "$d/etc" "$d/root/var/lib/dpkg/updates" "$d/root/var/lib/dpkg/info"
: > "$d/root/var/lib/dpkg/status"
for n in one two three; do
	p=$d/pkg-$n
	mkdir -p "$p/DEBIAN" "$p/opt/$n"
	echo $n > "$p/opt/$n/file"
	printf 'Package: %s\nVersion: 1.0\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\nDescription: package %s\n' $n $n > "$p/DEBIAN/control"
	dpkg-deb --root-owner-group -b "$p" "$d/repo/$n.deb" > /dev/null
	cat "$p/DEBIAN/control" >> "$d/repo/Packages"
	printf 'Filename: ./%s.deb\nSize: %s\nSHA256: %s\n\n' $n "$(stat -c %s "$d/repo/$n.deb")" "$(sha256sum "$d/repo/$n.deb" | cut -d' ' -f1)" >> "$d/repo/Packages"
done
echo "deb [trusted=yes] file:$d/repo ./" > "$d/etc/sources.list"
cat > "$d/apt.conf" <<X
Dir::Etc::sourcelist "$d/etc/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::main "/dev/null";
Dir::Etc::parts "/dev/null";
Dir::State "$d/state";
Dir::State::status "$d/root/var/lib/dpkg/status";
Dir::Cache "$d/cache";
Dir::Log "$d/log";
Dpkg::Options { "--root=$d/root"; "--force-not-root"; "--log=/dev/null"; };
Dpkg::Progress-Fancy "1";
APT::Sandbox::User "";
Acquire::Languages "none";
Debug::NoLocking "1";
X
export APT_CONFIG="$d/apt.conf"
apt-get -q=0 update
apt-get install -y one two three
echo done
read x
