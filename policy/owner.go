package policy

// org reads the organization's folder.
func (c Config) org() ([]layerFile, error) { return folder(c.OrgDir, orgLayer) }
