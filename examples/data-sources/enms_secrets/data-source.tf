# The secrets in a store. Their values are never read.
data "enms_secrets" "all" {
  store = [">Secrets"]
}

output "secrets" {
  value = [for s in data.enms_secrets.all.instances : s.scoped_name]
}
