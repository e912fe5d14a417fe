package x11

import (
	"context"
	"encoding/binary"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// owner is whose display an entry of an authority file is about.
type owner struct {
	family  uint16
	address string
}

// The families of an authority file (X11/Xauth.h, X11/X.h).
const (
	familyInternet  = 0
	familyInternet6 = 6
	familyLocal     = 256
	familyWild      = 65535
)

// displayOwners are the owners whose entries speak of a display's host: this
// machine goes by its name, every other one by its addresses.
func displayOwners(ctx context.Context, host string) []owner {
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	var ips []net.IP
	if host != "" && host != "unix" {
		ips, _ = net.DefaultResolver.LookupIP(ctx, "ip", host)
	}
	name, _ := os.Hostname()
	var out []owner
	if host == "" || host == "unix" {
		out = append(out, owner{familyLocal, name})
	}
	for _, ip := range ips {
		if ip.IsLoopback() {
			out = append(out, owner{familyLocal, name})
		}
		if v4 := ip.To4(); v4 != nil {
			out = append(out, owner{familyInternet, string(v4)})
		} else {
			out = append(out, owner{familyInternet6, string(ip)})
		}
	}
	return out
}

// lookupTime bounds the wait for the addresses of a display's host.
const lookupTime = 2 * time.Second

// Authority is the operator's own authority file: XAUTHORITY, or the one in the
// home folder.
func Authority() string {
	if f := os.Getenv("XAUTHORITY"); f != "" {
		return f
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, ".Xauthority")
}

// cookieOf finds a display's cookie in an authority file (Xau, Xsecurity(7)):
// entries of a family and four counted fields, address, number, name and data.
func cookieOf(b []byte, owners []owner, number string) []byte {
	for len(b) > 2 {
		family := binary.BigEndian.Uint16(b)
		b = b[2:]
		var field [4][]byte
		for i := range field {
			if len(b) < 2 || len(b) < 2+int(binary.BigEndian.Uint16(b)) {
				return nil
			}
			n := int(binary.BigEndian.Uint16(b))
			field[i], b = b[2:2+n], b[2+n:]
		}
		whose := family == familyWild || slices.Contains(owners, owner{family, string(field[0])})
		if whose && (len(field[1]) == 0 || string(field[1]) == number) && string(field[2]) == magicCookie {
			return field[3]
		}
	}
	return nil
}
