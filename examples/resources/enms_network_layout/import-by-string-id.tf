import {
  to = enms_network_layout.core
  id = "Core"
}
