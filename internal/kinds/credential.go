// This file declares credentials (enms-rest.md 1.9).

package kinds

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"

func credential() *kind.Kind {
	return &kind.Kind{
		Name:      "credential",
		Namespace: "credential",
		Summary:   "A credential: a user name with a password or a key, with which services log in to devices.",
		Attributes: append([]kind.Attribute{
			{Name: "username", Default: "", Doc: "The user name on the devices."},
			{Name: "subtype", Default: "password", OneOf: []string{"password", "key"}, Doc: "Whether services log in with the password or the private key."},
			{Name: "password", Role: kind.Secret, UsedIf: [2]string{"subtype", "password"}, Doc: "The password on the devices."},
			{Name: "enable_password", Role: kind.Secret, Doc: "The password of the devices' enable mode."},
			{Name: "private_key", Role: kind.Secret, UsedIf: [2]string{"subtype", "key"}, MaxLength: kind.Unbounded, Doc: "The private key, if the subtype is `key`."},
			{Name: "description", Default: "", MaxLength: kind.Unbounded, Doc: "The description of the credential."},
			{Name: "device_pools", Section: "Use", Type: kind.Many, Of: "pool", Inverse: "credential_devices", Doc: "The names of the pools for whose devices the credential is used."},
			{Name: "groups", Type: kind.Many, Of: "group", Inverse: "credentials", On5: kind.On5{Name5: "rbac_use", Inverse5: "rbac_use_credentials"}, Doc: "The names of the groups whose members can use the credential."},
			{Name: "role", Default: "read-write", OneOf: []string{"read-write", "read-only"}, Doc: "Whether the credential is for services that change devices or only read; see `credential_type` of [enms_service](service.md)."},
			{Name: "priority", Type: kind.Number, Default: 1, Doc: "The priority: of several credentials for a device, the one with the highest priority is used."},
			{Name: "admin_only", Section: sectionRights, Type: kind.Flag, Default: false, Doc: "Whether only administrators see the credential."},
		}, rights("credential")...),
		Unwatched: volatileFields,
	}
}
