// This file turns errors into diagnostics; no other file does. The summary says what failed; the
// detail says what eNMS answered, and what to do next.

package lifecycle

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/identify"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
)

// missingHint is the advice for a reference to an instance that does not exist.
const missingHint = "Create it first, or refer to the resource that does, so that Terraform knows the order."

// The verbs of summaries.
const (
	verbPlan     = "plan"
	verbCreate   = "create"
	verbFinish   = "finish creating"
	verbAdopt    = "take over"
	verbRead     = "read"
	verbReadBack = "read back"
	verbImport   = "import"
	verbUpdate   = "update"
	verbRename   = "rename"
	verbDelete   = "delete"
)

// errorDiagnostic returns the diagnostic of an error of an operation on an instance.
func (r *Instances) errorDiagnostic(verb, name string, values kind.Values, err error) diag.Diagnostics {
	summary := fmt.Sprintf("Cannot %s %s %q", verb, r.kind.Name, name)
	attribute, hint := r.explain(verb, name, values, err)
	detail := strings.TrimSuffix(checks.Sentence(err.Error())+" "+hint, " ")
	switch {
	case attribute != "":
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root(attribute), summary, detail)}
	case errors.Is(err, context.Canceled):
		return diag.Diagnostics{interrupted{diag.NewErrorDiagnostic(summary, detail)}}
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic(summary, detail)}
}

// interrupted is the diagnostic of an operation that Terraform's interrupt has ended.
type interrupted struct{ diag.ErrorDiagnostic }

// Interrupted reports whether Terraform's interrupt is the only error.
func Interrupted(diags diag.Diagnostics) bool {
	return diags.HasError() && !slices.ContainsFunc(diags.Errors(), func(d diag.Diagnostic) bool {
		_, is := d.(interrupted)
		return !is
	})
}

// Diagnostic returns the diagnostic of an error of the client that is not about an instance of
// a kind.
func Diagnostic(summary string, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summary, explained(err))
}

// explained returns the message of an error of the client as a sentence, followed by advice.
func explained(err error) string {
	_, hint := generalHint(err)
	return strings.TrimSuffix(checks.Sentence(err.Error())+" "+hint, " ")
}

// explain returns the attribute at fault and the advice for an error, as far as they are
// known.
func (r *Instances) explain(verb, name string, values kind.Values, err error) (attribute, hint string) {
	if is[*hiddenError](err) {
		return kind.RowName, hiddenHint
	}
	if elsewhere, ok := errors.AsType[*elsewhereError](err); ok {
		return kind.RowName, elsewhere.hint()
	}
	if exists, ok := errors.AsType[*enms.ExistsError](err); ok {
		return kind.RowName, r.takenHint(verb, name, exists)
	}
	if owned, ok := errors.AsType[*ownedError](err); ok {
		return kind.RowName, owned.hint()
	}
	if other, ok := errors.AsType[*enms.NotFoundError](err); ok && other.Spelling != "" {
		return cmp.Or(relate.ReferringRow(r.kind, values, other.Type, other.Name), kind.RowName),
			fmt.Sprintf("Use the spelling of eNMS: %q.", other.Spelling)
	}
	if missing, ok := errors.AsType[*missingError](err); ok {
		hint = missingHint
		if missing.cause == nil || verb == verbCreate || verb == verbUpdate {
			hint += " " + nothingChanged
		}
		return missing.references[0].attribute, hint
	}
	if refused, ok := errors.AsType[*enms.RefusedError](err); ok && refused.Missing != nil {
		hint = missingHint
		if verb == verbCreate || verb == verbUpdate {
			hint += " " + nothingChanged
		}
		return relate.ReferringRow(r.kind, values, refused.Missing.Type, refused.Missing.Name), hint
	} else if ok && refused.UnknownType == r.kind.Path(values) {
		return r.kind.SubtypeRow(),
			fmt.Sprintf("This eNMS has no type %q. Check the spelling, and that the type is installed on the server.", refused.UnknownType)
	}
	if fault, ok := errors.AsType[*enms.FieldError](err); ok && fault.Field != "" {
		hint = "eNMS has an invalid value in this field, most often because another client wrote it. Correct it in eNMS."
		if is[*unreadableError](err) {
			hint = "Most likely this user may not read that instance: add one of the user's groups to its rbac_read, or use another user."
		}
		return r.kind.RowOfField(values, fault.Field), hint
	}
	return generalHint(err)
}

// generalHint returns the advice for errors that are the same for all operations.
func generalHint(err error) (attribute, hint string) {
	if is[*enms.ComputationError](err) {
		return "", "Correct these criteria, or delete the pools, and apply again."
	}
	if status, ok := errors.AsType[*enms.StatusError](err); ok && statusHints[status.Status] != "" {
		if status.Method == http.MethodDelete && enms.InternalServerError(err) {
			return "", deletionHint
		}
		return "", statusHints[status.Status]
	}
	if hint := addressHint(err); hint != "" {
		return "", hint
	}
	for _, known := range hints {
		if known.is(err) {
			return known.attribute, known.hint
		}
	}
	return "", ""
}

// addressHint returns the advice for a wrong address of eNMS, or "".
func addressHint(err error) string {
	if scheme, ok := errors.AsType[*enms.SchemeError](err); ok {
		return fmt.Sprintf("Write base_url = %q.", scheme.Use)
	}
	unresolved, ok := errors.AsType[*net.DNSError](err)
	if !ok || !unresolved.IsNotFound {
		return ""
	}
	setting := "base_url"
	if through, ok := errors.AsType[*net.OpError](err); ok && through.Op == "proxyconnect" {
		setting = "proxy_url, or in HTTPS_PROXY or HTTP_PROXY"
	}
	return fmt.Sprintf("The host %q cannot be resolved. Check its spelling in %s.", unresolved.Name, setting)
}

// hiddenHint is the advice if the name belongs to an instance that this user may not read: it
// can be neither imported nor adopted.
const hiddenHint = "Nothing was changed. Choose another name; or, to manage that instance, add a group of this user to its rbac_read and rbac_edit."

// absentFieldHint is the advice for a field that eNMS accepts, but does not have.
const absentFieldHint = "eNMS ignores unknown fields, so this had no effect. Most likely this version of eNMS is older than the field. Remove the attribute from the configuration, or update eNMS."

// statusHints are the advice for answers, by their status.
var statusHints = map[int]string{
	http.StatusNotFound:            "There is no REST interface of eNMS at this address. Set base_url to the address without /rest, for example https://enms.example.com. The provider needs eNMS 4.2 or newer.",
	http.StatusTooManyRequests:     "A gateway limits the request rate: apply again later, increase max_retries, or ask for a higher limit.",
	http.StatusInternalServerError: "eNMS returns no reason. Common causes: the name belongs to an instance of another type, or to one that this user may not read or edit; or the database refuses a value. See the log of eNMS.",
}

// deletionHint is the advice for a deletion that eNMS answers with 500.
const deletionHint = "eNMS returns no reason. Common causes: for a task, the scheduler of eNMS does not run; on SQLite, other requests lock the database, and applying again is enough; eNMS before 4.0 responds like this to every deletion, and the provider needs 4.2 or newer. See the log of eNMS."

// takenHint returns the advice if a name belongs to another instance. The warning of a plan shows
// the block to write; the error that may follow names the other causes.
func (r *Instances) takenHint(verb, name string, exists *enms.ExistsError) string {
	unchanged := nothingChanged + " "
	if verb == verbPlan || verb == verbRename { // the other instance may have got a temporary name
		unchanged = ""
	}
	another := exists.FoundType != "" && exists.FoundType != exists.Type
	switch {
	case r.inMany && verb == verbPlan:
		return takenInManyHint
	case r.inMany && verb != verbRename:
		return "It was not changed. " + takenInManyHint + " If another address of this configuration gives the name up in this apply, apply again; or first apply a configuration without this entry. " + createFirstHint
	case exists.SoftDeleted:
		return unchanged + "Restore it or delete it permanently in eNMS, or choose another name."
	case exists.FoundName != "" && verb != verbRename && r.kind.Takes(exists.FoundType):
		return unchanged + fmt.Sprintf("Choose another name. Or, to manage that one, write name = %q and %s", exists.FoundName, r.importHint(verb, exists.FoundName))
	case verb == verbRename:
		return "Choose another name, or rename or delete the other instance first. If this configuration gives the name up in the same apply, apply again."
	case !r.kind.Takes(exists.FoundType):
		return unchanged + fmt.Sprintf("A %s cannot have the name of a %s: both share one set of names in eNMS. Choose another name. If a resource of this configuration manages it and", r.kind.Name, exists.FoundType) + releasedHint
	case verb == verbAdopt && another:
		return unchanged + fmt.Sprintf("It is a %s, not a %s: write type = %q to take it over, or choose another name. ", exists.FoundType, exists.Type, exists.FoundType) + createFirstHint
	case another:
		return unchanged + fmt.Sprintf("It is a %s, not a %s. To manage it, write type = %q and %s", exists.FoundType, exists.Type, exists.FoundType, r.importHint(verb, name))
	}
	return unchanged + "To manage it, set adopt_existing = true, or " + r.importHint(verb, name)
}

// importHint returns how to import an instance. After a plan, it may be at another address of the
// same configuration, which a provider cannot know.
func (r *Instances) importHint(verb, name string) string {
	if verb == verbPlan {
		return r.importBlock(name)
	}
	return fmt.Sprintf("import it with the id %s. If another resource of this configuration manages it, do neither: write a moved block if this is its new address. If the other resource%s %s",
		quoted(identify.ImportID(r.kind, name)), releasedHint, createFirstHint)
}

// releasedHint is the advice if the other resource gives the name up, after its subject.
const releasedHint = " is renamed or destroyed in this apply, apply again; or first apply a configuration without this resource."

// createFirstHint is the advice if the instance that has the name is the one being replaced.
const createFirstHint = "If this resource is replaced with create_before_destroy, remove that."

// importBlock shows how to import an instance. A provider does not know the address of a
// resource, so the label is made of the name.
func (r *Instances) importBlock(name string) string {
	address := r.kind.TypeName() + "." + label(name)
	return fmt.Sprintf("add this block to the root module, with the address of this resource:\n\nimport {\n  to = %s\n  id = %s\n}",
		address, quoted(identify.ImportID(r.kind, name)))
}

var notInLabels = regexp.MustCompile(`[^a-z0-9_]+`)

// label converts a name to a resource label.
func label(name string) string {
	l := strings.Trim(notInLabels.ReplaceAllString(strings.ToLower(name), "_"), "_")
	if l == "" || l[0] >= '0' && l[0] <= '9' {
		l = "_" + l
	}
	return l
}

// hints are the advice for errors that are the same for all instances.
var hints = []struct {
	is        func(error) bool
	hint      string
	attribute string
}{
	{is: isA(enms.ErrUnauthorized), hint: "Check username and password in the provider block, or ENMS_USERNAME and ENMS_PASSWORD."},
	{is: isA(enms.ErrForbidden), hint: "Ask an administrator of eNMS for the right to this instance and to the REST endpoint, or use another user."},
	{is: isA(context.Canceled), hint: "The run was interrupted; apply again."},
	{is: isA(context.DeadlineExceeded), hint: "eNMS did not respond in time. Increase request_timeout."},
	{is: is[*enms.RedirectError], hint: "Set base_url to the address of eNMS without /rest, for example https://enms.example.com."},
	{is: is[*tls.CertificateVerificationError], hint: "If eNMS uses a certificate of your own CA, set ca_cert_pem or ca_cert_file to the certificate of the CA."},
	{is: tlsAlert, hint: "The server aborted the TLS handshake. If it requires a client certificate, set client_cert_pem and client_key_pem."},
	{is: is[*enms.UnreachableError], hint: "Check base_url, that eNMS runs, and that this machine can reach it."},
	{is: htmlServerError, hint: "If /rest/is_alive responds, eNMS itself failed to check the password: the installed version of Werkzeug does not fit, or the user's password is damaged in the database. See the log of eNMS."},
	{is: is[*enms.NotJSONError], hint: "Check that base_url is the address of eNMS; a proxy or a login page may have responded instead."},
	{is: is[*enms.AmbiguousError], hint: "Apply again: the next plan checks whether it exists."},
	{is: is[*enms.AnswerError], hint: "Check that base_url is the address of eNMS; another server may have responded instead."},
	{is: is[*enms.RenamedError], hint: "It exists under that name now. Use that name for the resource, or another scoped_name."},
	{is: is[*enms.IgnoredRenameError], attribute: kind.RowName, hint: "This eNMS is older than 4.2 and cannot rename. Update eNMS, or keep the name. The other changes of this update were made."},
	{is: is[*unknownFieldError], hint: absentFieldHint},
	{is: is[*replacedError], hint: nothingChanged + " Plan again to see the new instance."},
	{is: is[*enms.MaybeHiddenError], hint: "It stays in the state. Use an administrator, a user with the right rbac_read to it, or one in a group with force_read_access that may also read what is older than the group. If it was deleted, run terraform state rm with its address."},
	{is: is[*ambiguousError], hint: "After a restore of eNMS, ids belong to other objects. If the first one is the instance, renamed by somebody, give it its old name in eNMS. If it is not, the instance is gone: create one with that name in eNMS. Then apply again."},
	{is: is[goneError], hint: nothingChanged + " Plan again to create it."},
	{is: is[unknownIDError], hint: "It was not deleted. Plan again without -refresh=false; or, if it is not this resource's, run terraform state rm with the address of the resource."},
}

// htmlServerError reports whether the response was a 500 in HTML: eNMS failed before its REST
// interface was reached (enms-rest.md 7).
func htmlServerError(err error) bool {
	page, ok := errors.AsType[*enms.NotJSONError](err)
	return ok && page.Status == http.StatusInternalServerError
}

// tlsAlert reports whether the server sent a TLS alert, which crypto/tls shows by the Op of
// the error.
func tlsAlert(err error) bool {
	network, ok := errors.AsType[*net.OpError](err)
	return ok && network.Op == "remote error"
}

func isA(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func mayHaveActed(err error) bool { return !enms.Unacted(err) && !is[*enms.UnreachableError](err) }

// takenInManyHint is the advice if the name of an entry belongs to another instance.
const takenInManyHint = "Choose another name; or, if it is of the same type, set adopt_existing = true, on this resource or in the provider block, to take it over."

// mending returns a sentence about what the next apply does with an instance that eNMS created
// although it reported a failure.
func (r *Instances) mending() string {
	if r.inMany {
		return ": the next apply mends it"
	}
	return ", marked as tainted: the next apply replaces it"
}
