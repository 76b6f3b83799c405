import {
  to = enms_network.texas
  identity = {
    name = "Texas"
  }
}
