# Plain http: only containers of the network "back" reach it. In production, TLS and more than one node.
ui            = false
api_addr      = "http://openbao:8200"
storage "file" {
  path = "/openbao/file"
}
listener "tcp" {
  address     = "0.0.0.0:8200"
  tls_disable = true
}
