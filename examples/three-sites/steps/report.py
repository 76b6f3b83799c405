results["success"] = True
results["result"] = f"{device.name} is done"
