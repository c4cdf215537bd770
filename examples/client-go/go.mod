module example.com/gatehouse-client

go 1.22
