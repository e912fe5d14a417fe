package command

// Tools are clients and services of which the console knows that they take
// verbs (apigeecli apis DELETE x, ipmitool chassis power OFF), and no more:
// rules judge them by the verb. Readers of their kind are in readers.
var tools = setOf(`
apigeecli kong deck konnect tyk gravitee fastly circleci gitlab-runner gitlab-ctl gitlab-rake gitlab-rails jenkins-cli jenkins travis buildkite-agent drone woodpecker
teamcity octo tkn concourse gocd bamboo flipt ldcli unleash growthbook split-cli kafka-broker-api-versions kcat kaf kafkactl zkCli.sh
zookeeper-shell zookeeper-shell.sh datadog-ci datadog-agent dog newrelic pd pagerduty opsgenie splunk sentry-cli honeycomb stripe square braintree
paypal algolia meilisearch typesense azcopy patronictl pgbackrest barman wal-g wal-e repmgr pg_autoctl pgbouncer pgpool orchestrator-client
proxysql-admin mysqlsh mysqlrouter mydumper myloader xtrabackup mariabackup mariadb-backup neo4j-admin neo4j couchbase-cli couchdb vtctlclient vtctl
vtctldclient arangosh arango influxd telegraf questdb cassandra-stress sstableloader scylla ycqlsh tiup tikv-ctl pd-ctl cockroach-sql
amtool grafana-cli grafana-server promxy thanos cortextool mimirtool lokitool loki alertmanager filebeat metricbeat packetbeat heartbeat auditbeat
logstash fluentd fluent-bit vector promtail zabbix_server zabbix_agentd zabbix_sender zabbix_js icinga2 icingacli nagios nagiosgraph sensuctl
sensu-agent monitorix rndc unbound-control ctr ipmitool ipmi-power ipmi-sel ipmi-sensors racadm hponcfg ilorest redfishtool megacli MegaCli MegaCli64 megacli64 storcli
storcli64 perccli perccli64 arcconf ssacli hpssacli tw_cli sas3ircu sas2ircu mpt-status nvme-cli conntrack conntrackd initctl ulogd rcctl sv s6-rc s6-svc
s6-svscanctl rc-update insserv runsvdir dinitctl svc resolvconf udevadm needrestart aa-status apparmor_status aa-enforce aa-logprof
php-fpm exim exim4 doveconf doveadm dovecot dhcpd dhcrelay kea-admin squidclient smbstatus smbcontrol testparm memcached memcstat vtysh birdc bird gobgp
frr exabgp ceph cephadm rados rbd radosgw-admin ceph-volume ceph-osd gluster glusterd pcs crm crm_resource crm_mon corosync-cfgtool
corosync-quorumtool drbdadm drbdsetup multipathd snmpset snmpwalk snmpget snmptranslate minio longhornctl linstor k9s popeye kubent kubeaudit
argo-rollouts pgo cnpg strimzi rancher2 k3sup etcd-backup tsh tctl teleport boundary step cfssl acme.sh lego dnscontrol octodns flarectl
dnsmadeeasy pdnsutil pdns_control knotc nsupdate rndc-confgen ansible-test ansible-console ansible-runner puppetserver r10k chef-server-ctl knife
berks inspec kitchen bolt rundeck rd spacectl infracost terrascan tfsec checkov trivy grype syft snyk gitleaks trufflehog cosign notation oras
regctl trust docker-credential-helper docker-credential-pass helmsman kubeseal kubeval kubeconform kube-score kubectl-argo-rollouts tea jira
hub bitbucket ngrok bore frpc frps chisel sshuttle tailscaled zerotier-cli netbird headscale nebula wireguard nova neutron cinder
glance keystone heat swift-cli manila trove designate vmware-cmd esxcli vim-cmd ovftool openshift-install rosa ocm oadm k0sctl metalctl
tinkerbell maas landscape-client subscription-manager insights-client spacewalk-channel katello candlepin foreman hammer pulp sosreport sos
cyberark conjur secrethub envconsul consul-template asadmin jboss-cli.sh jboss-cli standalone.sh catalina.sh wsadmin.sh
solr solrctl elasticsearch-keystore elasticsearch-reset-password elasticsearch-users elasticsearch-node opensearch-cli curator esctl
hdfs hadoop yarn-cli mapred hbase hive-cli spark-submit spark-class oozie sqoop airflow prefect dagster dbt nifi-toolkit
qsub qdel qstat sbatch scancel scontrol sacctmgr sinfo squeue sacct bsub bkill bjobs condor_rm condor_q hg bzr fossil p4 cvs repo ghq
certonly smbldap-userdel ldapvi slapcat slapadd dsconf dsctl ipa-server-install ipactl realmd wbinfo freeipa
mailman postmulti postmap amavisd spamassassin sa-learn sieve-test opendkim rspamc rspamadm
wp wp-cli drush artisan rails django-admin manage.py flask-cli symfony magento n98-magerun bin-console sfdx 
steampipe turbot cloudquery nomad-pack envoy nginx-agent traefikee consul-k8s osm kuma kumactl meshctl
alembic flyway liquibase dbmate goose sqlx diesel knex sequelize sequelize-cli prisma sqitch typeorm phinx
bpftrace nats snapraid mergerfs bcachefs bcache-super-show make-bcache ddrescue partclone.ext4 partclone.xfs partclone.btrfs partclone.ntfs partclone.vfat
partclone.restore partclone.dd partimage fsarchiver clonezilla ocs-sr
`)

// Tool reports a program that is known by its verbs alone.
func Tool(program string) bool { return tools[program] }
