results["success"] = True
results["result"] = f"the configuration of {device.name} is saved"
