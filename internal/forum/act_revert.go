package forum

// undoneBy are the mutations that undo acts which cannot be reverted; what is missing cannot be undone.
var undoneBy = map[ActKind]string{
	ActLock: "moderate", ActUnlock: "moderate", ActHide: "moderate", ActRestore: "moderate", ActApprove: "moderate",
	ActPin: "moderate", ActUnpin: "moderate", ActMove: "moderate", ActEdit: "updateTopic", ActTag: "tagTopic",
	ActRedact: "redactRevision", ActUnredact: "redactRevision", ActBan: "unban", ActUnban: "ban",
	ActSetRole: "setUserRole", ActRestorePosts: "hidePosts",
}

// CheckRevert returns nil if a viewer may revert the act; otherwise INVALID, FORBIDDEN or SELF, at actId.
func (a *Act) CheckRevert(by *Viewer) error {
	path := Path("actId")
	ofUser := a.Kind == ActSetStaff || a.Kind == ActHidePosts
	if _, ok := a.Change(); !ok && !ofUser || a.Kind == ActEdit {
		if use := undoneBy[a.Kind]; use != "" {
			return Invalid(path, "This is not undone by revertAct. Use %s.", use)
		}
		return Invalid(path, "This cannot be undone.")
	}
	role := RoleModerator
	if a.Kind == ActUpdateRules || a.Kind == ActUpdateAccess || a.Kind == ActSetStaff {
		role = RoleAdmin
	}
	if !by.Has(role) {
		return Forbidden(path, role, "You cannot revert this.")
	}
	if ofUser && by.Is(a.Member) {
		return Self(path, "You cannot do this to yourself.")
	}
	return nil
}
