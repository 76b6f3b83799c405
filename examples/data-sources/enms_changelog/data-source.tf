# Who has changed a device since Monday, and which fields (eNMS 5).
data "enms_changelog" "dallas" {
  type  = "device"
  name  = "DALLAS"
  since = "2026-11-23"
}

output "changes_of_dallas" {
  value = [for entry in data.enms_changelog.dallas.entries : "${entry.time} ${coalesce(entry.author, "eNMS")}: ${entry.action} ${join(", ", coalesce(entry.fields, []))}"]
}

# With the values, which are then in the state.
data "enms_changelog" "by_alice" {
  author = "alice"
  max    = 100
  values = true
}

output "ports_that_alice_changed" {
  value = { for entry in data.enms_changelog.by_alice.entries :
    entry.name => nonsensitive(entry.changes["port"].new) if contains(coalesce(entry.fields, []), "port")
  }
}
