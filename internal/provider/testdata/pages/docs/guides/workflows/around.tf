resource "enms_pool" "routers" {
  name = "Routers"
}

resource "enms_pools_update" "members" {}
