# Plain http: only containers of the network "back" reach it. In production, TLS and more than one node.
ui           = false
api_addr     = "http://openbao:8200"
cluster_addr = "http://openbao:8201"
storage "raft" {
  path    = "/openbao/file"
  node_id = "openbao"
}
listener "tcp" {
  address     = "0.0.0.0:8200"
  tls_disable = true
}
