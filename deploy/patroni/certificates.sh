#!/bin/sh
# Generates the certificates of etcd and Patroni. Run it once, on one machine, and copy each folder to its machine:
#   sh deploy/patroni/certificates.sh certificates db1=10.0.0.11 db2=10.0.0.12 db3=10.0.0.13
# Run it again to add a machine or renew its certificates: it reuses the certificate authority in the folder. Keep ca.key offline.
set -eu
umask 077
if test $# -lt 2; then
  echo "Usage: sh $0 FOLDER NAME=ADDRESS..." >&2
  exit 2
fi
folder=$1
shift
for machine in "$@"; do
  case $machine in
    ?*=?*) ;;
    *)
      echo "$machine must be the name and the address of a machine, such as db1=10.0.0.11" >&2
      exit 2
      ;;
  esac
done
# An expired certificate stops the cluster, so these are valid for ten years. Replace them if a key leaks.
days=3650

# Prints the output of openssl only if it fails.
run_openssl() {
  output=$(openssl "$@" 2>&1) || {
    echo "openssl failed: $output" >&2
    exit 1
  }
}

mkdir -p "$folder"
cd "$folder"
if ! test -e ca.key; then
  run_openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days $days -subj /CN=florin-etcd-ca \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign \
    -keyout ca.key -out ca.crt
fi

# create_certificate FILE NAME EXTENSIONS
create_certificate() {
  run_openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$2" \
    -keyout "$1.key" -out "$1.csr"
  printf '%s\n' basicConstraints=critical,CA:FALSE keyUsage=critical,digitalSignature "$3" > "$1.ext"
  run_openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days $days \
    -extfile "$1.ext" -out "$1.crt"
  rm "$1.csr" "$1.ext"
}

for machine in "$@"; do
  name=${machine%%=*}
  address=${machine#*=}
  mkdir -p "$name"
  cp ca.crt "$name/ca.crt"
  # Each etcd is both a server and a client of the others. Peers are accepted by common name.
  create_certificate "$name/etcd" etcd "extendedKeyUsage=serverAuth,clientAuth
subjectAltName=IP:$address,DNS:$name"
  create_certificate "$name/patroni" patroni extendedKeyUsage=clientAuth
done
