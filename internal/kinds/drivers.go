// This file lists the usual drivers of the libraries with which eNMS connects to devices. A server
// may have another version of a library, with other drivers: a driver that is not listed gets a warning
// only if it looks like a misspelled one of these.

package kinds

import "strings"

const mikrotik = "mikrotik_routeros" //nolint:misspell // its name

var (
	netmikoDrivers = netmiko(`a10 accedian adtran_os adva_fsp150f2 adva_fsp150f3 alaxala_ax26s alaxala_ax36s
		alcatel_aos alcatel_sros allied_telesis_awplus apresia_aeos arista_eos arris_cer aruba_aoscx aruba_os
		aruba_osswitch aruba_procurve audiocode_66 audiocode_72 audiocode_shell avaya_ers avaya_vsp
		broadcom_icos brocade_fastiron brocade_fos brocade_netiron brocade_nos brocade_vdx brocade_vyos
		calix_b6 casa_cmts cdot_cros centec_os checkpoint_gaia ciena_saos ciena_saos10 cisco_apic cisco_asa
		cisco_ftd cisco_ios cisco_nxos cisco_s200 cisco_s300 cisco_tp cisco_viptela cisco_wlc cisco_xe cisco_xr
		cloudgenix_ion coriant dell_dnos6 dell_dnos9 dell_force10 dell_isilon dell_os10 dell_os6 dell_os9
		dell_powerconnect dell_sonic digi_transport dlink_ds eltex eltex_esr endace enterasys ericsson_ipos
		ericsson_minilink63 ericsson_minilink66 extreme extreme_ers extreme_exos extreme_netiron extreme_nos
		extreme_slx extreme_tierra extreme_vdx extreme_vsp extreme_wing f5_linux f5_ltm f5_tmsh fiberstore_fsos
		flexvnf fortinet generic generic_termserver hillstone_stoneos hp_comware hp_procurve huawei huawei_olt
		huawei_ont huawei_smartax huawei_smartaxmmi huawei_vrp huawei_vrpv8 ipinfusion_ocnos juniper
		juniper_junos juniper_screenos keymile keymile_nos linux maipu mellanox mellanox_mlnxos
		mikrotik_switchos mrv_lx mrv_optiswitch netapp_cdot netgear_prosafe netscaler
		nokia_srl nokia_sros oneaccess_oneos ovs_linux paloalto_panos pluribus quanta_mesh rad_etx
		raisecom_roap ruckus_fastiron ruijie_os sixwind_os sophos_sfos supermicro_smis teldat_cit
		terminal_server tplink_jetstream ubiquiti_airos ubiquiti_edge ubiquiti_edgerouter ubiquiti_edgeswitch
		ubiquiti_unifiswitch vyatta_vyos vyos watchguard_fireware yamaha zte_zxros zyxel_os ` + mikrotik)
	napalmDrivers  = strings.Fields("eos ios iosxr iosxr_netconf junos nxos nxos_ssh")
	scrapliDrivers = strings.Fields(`alcatel_aos arista_eos aruba_aoscx cisco_aireos cisco_asa cisco_cbs cisco_iosxe cisco_iosxr
		cisco_nxos cumulus_linux cumulus_vtysh dell_emc dlink_os edgecore_ecs eltex_esr fortinet_fortios
		fortinet_wlc hp_comware huawei_smartax huawei_vrp juniper_junos nokia_srlinux
		nokia_sros paloalto_panos raisecom_ros ruckus_fastiron ruckus_unleashed siemens_roxii versa_flexvnf
		vyos_vyos zyxel_dslam ` + mikrotik)
	netconfDrivers = strings.Fields("alu ciena csr default ericsson h3c hpcomware huawei huaweiyang iosxe iosxr junos nexus sros")
)

// netmiko returns the Netmiko drivers of these platforms, with those for other transports.
func netmiko(platforms string) (drivers []string) {
	for _, platform := range strings.Fields(platforms) {
		drivers = append(drivers, platform, platform+"_ssh", platform+"_telnet", platform+"_serial")
	}
	return drivers
}
