import {
  to = enms_network_layout.texas
  identity = {
    network = "Texas"
  }
}
