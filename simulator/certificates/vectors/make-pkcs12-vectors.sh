#!/usr/bin/env bash
# Makes the PKCS#12 files that the reader is tested with, in every usual protection, with OpenSSL 3 alone: base64 by their names.
# Names, numbers and passwords are invented; the passwords are the ones in pkcs12.test.ts.
#
# Run from the root of the project, in a UTF-8 locale; needs bash and openssl:
#   bash simulator/certificates/vectors/make-pkcs12-vectors.sh > simulator/certificates/vectors/pkcs12.json
set -euo pipefail

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cd "$work"

touch index.txt
echo 01 > serial
cat > ca.cnf << 'END'
[ca]
default_ca = own
[own]
database = index.txt
serial = serial
new_certs_dir = .
unique_subject = no
policy = any
[any]
countryName = optional
commonName = supplied
END

# name, key options, common name; valid from 2025 to 2055
certificate() {
  openssl genpkey $2 -out "$1.key" 2> /dev/null
  openssl req -new -utf8 -nameopt utf8 -key "$1.key" -subj "/C=BR/CN=$3" -out "$1.csr"
  openssl ca -batch -selfsign -utf8 -config ca.cnf -md sha256 -notext -in "$1.csr" -keyfile "$1.key" \
    -startdate 20250101000000Z -enddate 20550101000000Z -out "$1.pem" 2> /dev/null
}
certificate loja '-algorithm RSA -pkeyopt rsa_keygen_bits:2048' 'LOJA DE TESTE LTDA:99999991000125'
certificate ac '-algorithm RSA -pkeyopt rsa_keygen_bits:2048' 'AC DE TESTE'
certificate acai '-algorithm RSA -pkeyopt rsa_keygen_bits:2048' 'AÇAÍ DE TESTE'
certificate curve '-algorithm EC -pkeyopt ec_paramgen_curve:P-256' 'CURVA DE TESTE:99999991000125'

# name, password, options
pack() {
  openssl pkcs12 -export -out "$1.pfx" -passout "pass:$2" "${@:3}"
  printf '%s\n  "%s": "%s"' "$before" "$1" "$(base64 -w 0 "$1.pfx")"
  before=,
}
before={
loja=(-inkey loja.key -in loja.pem)
old=(-keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES -macalg SHA1)
pack aes-256 segredo "${loja[@]}"
pack aes-128-sha-512 segredo "${loja[@]}" -keypbe AES-128-CBC -certpbe AES-128-CBC -macalg SHA512
pack 3des segredo "${loja[@]}" "${old[@]}"
pack rc2-40 segredo "${loja[@]}" -legacy
pack rc2-128 segredo "${loja[@]}" -legacy -certpbe PBE-SHA1-RC2-128
pack accents-aes-256 maçã-Ção "${loja[@]}"
pack accents-3des maçã-Ção "${loja[@]}" "${old[@]}"
pack empty-password '' "${loja[@]}"
pack without-mac segredo "${loja[@]}" -nomac
pack unencrypted segredo "${loja[@]}" -keypbe NONE -certpbe NONE
pack unencrypted-chain segredo "${loja[@]}" -certfile ac.pem -keypbe NONE -certpbe NONE -nomac
pack without-key segredo -in loja.pem -nokeys
pack without-certificate segredo -inkey loja.key -in loja.pem -nocerts
pack without-cnpj segredo -inkey acai.key -in acai.pem
pack elliptic-curve segredo -inkey curve.key -in curve.pem
printf '\n}\n'
