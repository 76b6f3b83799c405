# All services, for unmanaged.rego. The limit is above what the server has: what is beyond it is
# not found.
list "enms_service" "all" {
  provider = enms
  limit    = 100000
}
