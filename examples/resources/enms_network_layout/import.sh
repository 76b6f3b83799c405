terraform import enms_network_layout.core Core
