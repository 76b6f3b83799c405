import {
  to = enms_network.texas
  id = "Texas"
}
