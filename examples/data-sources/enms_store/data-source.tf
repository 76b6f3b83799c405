data "enms_store" "secrets" {
  name = ">Secrets"
}

output "type_of_secrets" {
  value = data.enms_store.secrets.data_type
}
