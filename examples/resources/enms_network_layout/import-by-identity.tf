import {
  to = enms_network_layout.core
  identity = {
    network = "Core"
  }
}
