import {
  to = enms_network_layout.texas
  id = "Texas"
}
