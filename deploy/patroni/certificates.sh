#!/bin/sh
# Generates the certificates of etcd and Patroni. Run it once, on one machine, and copy each folder to its machine:
#   sh deploy/patroni/certificates.sh certificates db1=10.0.0.11 db2=10.0.0.12 db3=10.0.0.13
# Run it again to add a machine or renew its certificates: it reuses the authority in the folder. Keep ca.key offline.
set -eu
umask 077
folder=$1
shift
# An expired certificate stops the cluster, so these are valid for ten years. Replace them if a key leaks.
days=3650

mkdir -p "$folder"
cd "$folder"
if ! test -e ca.key; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days $days -subj /CN=florin-etcd-ca \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign \
    -keyout ca.key -out ca.crt 2>/dev/null
fi

# create_certificate FILE NAME EXTENSIONS
create_certificate() {
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$2" \
    -keyout "$1.key" -out "$1.csr" 2>/dev/null
  printf '%s\n' basicConstraints=critical,CA:FALSE keyUsage=critical,digitalSignature "$3" > "$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days $days \
    -extfile "$1.ext" -out "$1.crt" 2>/dev/null
  rm "$1.csr" "$1.ext"
}

for machine in "$@"; do
  name=${machine%%=*}
  address=${machine#*=}
  mkdir -p "$name"
  cp ca.crt "$name/ca.crt"
  # etcd is both server and client of the other two. Peers are accepted by common name.
  create_certificate "$name/etcd" etcd "extendedKeyUsage=serverAuth,clientAuth
subjectAltName=IP:$address,DNS:$name"
  create_certificate "$name/patroni" patroni extendedKeyUsage=clientAuth
done
