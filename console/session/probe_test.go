package session_test

import "sallyport/console/session"

func (r *rig) withProbe(*session.Config, setup) {}
