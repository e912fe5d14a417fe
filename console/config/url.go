package config

import "net/url"

// WithoutAccount takes user and password out of a URL. What is no URL is
// hidden: it may be a secret in the wrong place.
func WithoutAccount(s string) string {
	if s == "" {
		return ""
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return "<set>"
	}
	u.User = nil
	if u.RawQuery != "" {
		u.RawQuery = "<set>"
	}
	return u.String()
}
