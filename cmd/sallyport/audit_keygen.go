package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"sallyport/audit/seal"
)

func newAuditKeygen() *cobra.Command {
	var path, name string
	c := &cobra.Command{
		Use:   "keygen --out FILE",
		Short: "make the host key that anchors this machine's logs",
		Long: "Keygen writes the secret key to FILE, which only the daemon's user may read, and the\n" +
			"key to trust to FILE.pub and to standard output.",
		Args: usage(cobra.NoArgs),
	}
	host, _ := os.Hostname()
	c.Flags().StringVarP(&path, "out", "o", "", "file of the secret key; it must not be there yet")
	c.Flags().StringVar(&name, "name", host, "name of the key")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if path == "" {
			return failWith(exitUsage, errors.New("where should the key go?"), c.CommandPath()+" --out /etc/sallyport/audit.key")
		}
		k, err := seal.NewHostKey(name)
		if err != nil {
			return err
		}
		if err := writeNew(path, k.Secret()+"\n", 0o600); err != nil {
			return failWith(exitFailure, err, "an existing key is never replaced")
		}
		if err := writeNew(path+".pub", k.Verifier()+"\n", 0o644); err != nil {
			return failWith(exitFailure, err, "")
		}
		_, err = fmt.Fprintln(c.OutOrStdout(), k.Verifier())
		return err
	}
	return c
}

// writeNew makes a file that was not there.
func writeNew(path, text string, mode os.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}
