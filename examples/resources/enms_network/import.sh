terraform import enms_network.texas Texas
