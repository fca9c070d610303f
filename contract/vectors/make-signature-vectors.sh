#!/usr/bin/env bash
# Makes the signature vectors of section 5.2 with md5sum, and checks each digest against openssl.
# No code of this project takes part, so the vectors hold its signer and its verifier to the outside world.
#
# Run from the root of the project; needs bash, md5sum, openssl, base64, tr, cut:
#   bash contract/vectors/make-signature-vectors.sh > contract/vectors/signature.json
#
# A body of printable ASCII is written as text, every other one as base64 of its bytes.
# `body` is absent where nothing is sent; `query` stands for what follows the `?`.
set -euo pipefail
export LC_ALL=C

secret=S3cr3tOfTheApplication0001
now=1790000000
json=application/json
xml=application/xml
echo_path=/openapi/demo/echo
issuance=/openapi/v2/empresas/emp-001/nf-e
verification=/openapi/v3/consultas/nf-e/xml
certificado=/openapi/v1/empresas/emp-001/certificadoDigital

# The hashed bytes: only the body (third argument) loses its CR and LF.
hashed() {
  printf '%s%s' "$1" "$2"
  printf '%s' "$3" | tr -d '\r\n'
  printf '%s' "$4"
}

digest() {
  local first second
  first=$(hashed "$@" | md5sum | cut -c 1-32)
  second=$(hashed "$@" | openssl dgst -md5 -r | cut -c 1-32)
  if [[ ! $first =~ ^[0-9a-f]{32}$ || $first != "$second" ]]; then
    echo "md5sum says '$first', openssl says '$second'" >&2
    return 1
  fi
  printf '%s' "$first"
}

# A JSON string of printable ASCII.
quoted() {
  local text=${1//\\/\\\\}
  printf '"%s"' "${text//\"/\\\"}"
}

print_body() {
  local kind=text value=$1
  if [[ $1 == *[^\ -~]* ]]; then
    kind=base64
    value=$(printf '%s' "$1" | base64 | tr -d '\n')
  fi
  printf '    "body": {\n      "%s": %s\n    },\n' "$kind" "$(quoted "$value")"
}

field() {
  printf '    "%s": %s' "$1" "$(quoted "$2")"
}

separator='['

# vector NAME NOTE METHOD PATH [query=…] [type=…] [body=…] [signed=…] [token=…] [timestamp=…]
# `signed` is what is signed as the body where that is not the body itself.
vector() {
  local name=$1 note=$2 method=$3 path=$4
  local token=$secret timestamp=$now query type body signed option sign
  shift 4
  for option; do
    case $option in
      query=* | type=* | body=* | signed=* | token=* | timestamp=*) local "$option" ;;
      *)
        echo "$name: unknown option $option" >&2
        exit 1
        ;;
    esac
  done
  sign=$(digest "$token" "$path" "${signed-${body-}}" "$timestamp")
  printf '%s\n  {\n' "$separator"
  separator=,
  field name "$name" && echo ,
  field note "$note" && echo ,
  field method "$method" && echo ,
  field path "$path" && echo ,
  if [[ -v query ]]; then field query "$query" && echo ,; fi
  if [[ -v type ]]; then field contentType "$type" && echo ,; fi
  if [[ -v body ]]; then print_body "$body"; fi
  field token "$token" && echo ,
  field timestamp "$timestamp" && echo ,
  field sign "$sign" && printf '\n  }'
}

# --- how a JSON body is written -------------------------------------------------------------------------------------
vector json-compact 'The plain case.' POST $echo_path type=$json body='{"message":"hello"}'
vector json-spaced 'Same JSON value as json-compact, with spaces: signed as sent, so another sign.' \
  POST $echo_path type=$json body='{ "message" : "hello" }'
vector json-pretty-lf 'Pretty-printed with LF: the breaks go, the indentation stays.' \
  POST $echo_path type=$json body=$'{\n  "message": "hello"\n}\n'
vector json-pretty-crlf 'Pretty-printed with CR LF: the same sign as json-pretty-lf.' \
  POST $echo_path type=$json body=$'{\r\n  "message": "hello"\r\n}\r\n'
vector json-pretty-cr 'Pretty-printed with lone CR: the same sign as json-pretty-lf.' \
  POST $echo_path type=$json body=$'{\r  "message": "hello"\r}\r'
vector json-mixed-breaks 'CR LF, LF CR, lone CR and doubled LF in one body: the same sign as json-pretty-lf.' \
  POST $echo_path type=$json body=$'{\r\n\n  "message":\r "hello"\n\r}\r'
vector json-breaks-at-both-ends 'Breaks before and after: the same sign as json-compact.' \
  POST $echo_path type=$json body=$'\n\r\n{"message":"hello"}\r\n\n'
vector json-escaped-break 'A backslash and the letter n or r are two characters, not a line break: they stay.' \
  POST $echo_path type=$json body='{"message":"one\ntwo\r\nthree"}'
vector json-trailing-blanks 'Spaces and tabs after the last brace are signed.' \
  POST $echo_path type=$json body=$'{"message":"hello"} \t \t'
vector json-leading-blanks 'Spaces and tabs before the first brace are signed.' \
  POST $echo_path type=$json body=$' \t{"message":"hello"}'
vector json-quotes-and-backslashes 'Escapes are signed as sent, not what they stand for.' \
  POST $echo_path type=$json body='{"message":"say \"sim\" in C:\\nfe\\raw \u00e7\/"}'
vector json-shell-characters 'Percent signs, dollars and single quotes mean nothing special.' \
  POST $echo_path type=$json body="{\"message\":\"100% %s %0D \$HOME 'x' \`y\`\"}"
vector json-charset 'Parameters of the Content-Type change nothing: the same sign as json-compact.' \
  POST $echo_path type='application/json; charset=utf-8' body='{"message":"hello"}'
vector json-unusual-order 'Members and numbers are signed as written: not sorted, not shortened.' \
  POST $issuance type=$json body='{"total":1.50e2,"id":"nfe-7","ambienteEmissao":"Homologacao","a":0.10}'

# --- bodies without content -----------------------------------------------------------------------------------------
vector body-empty 'POST with a body of no bytes: nothing is signed for it.' POST $echo_path type=$json body=
vector body-not-sent 'POST without a body: the same sign as body-empty.' POST $echo_path
vector body-only-breaks 'Nothing but line breaks: the same sign as body-empty.' POST $echo_path type=$json body=$'\r\n\n\r'
vector body-one-cr 'A single CR: the same sign as body-empty.' POST $echo_path type=$json body=$'\r'
vector body-one-space 'A single space is signed.' POST $echo_path type=$json body=' '
vector body-empty-object 'Braces that are really sent are signed.' POST $echo_path type=$json body='{}'
vector body-null 'A null that is really sent is signed.' POST $echo_path type=$json body='null'
vector get-without-body 'GET signs the empty string, neither braces nor null.' GET $issuance/nfe-7
vector delete-without-body 'DELETE signs the empty string: the method is not signed, so as get-without-body.' \
  DELETE $issuance/nfe-7
vector delete-with-body 'Even a body that is sent is not signed for DELETE: as delete-without-body.' \
  DELETE $issuance/nfe-7 type=$json body='{"motivo":"teste"}' signed=

# --- characters -----------------------------------------------------------------------------------------------------
vector text-accents 'Portuguese accents, two bytes each in UTF-8.' \
  POST $echo_path type=$json body='{"message":"São João, ação, õ, ü, É, Ç"}'
vector text-accents-escaped 'The same text with JSON escapes: other bytes, another sign.' \
  POST $echo_path type=$json body='{"message":"S\u00e3o Jo\u00e3o, a\u00e7\u00e3o, \u00f5, \u00fc, \u00c9, \u00c7"}'
vector text-emoji 'Characters beyond the BMP: four bytes each, joined by a zero-width joiner.' \
  POST $echo_path type=$json body=$'{"message":"\xF0\x9F\x87\xA7\xF0\x9F\x87\xB7 \xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB"}'
vector text-nfc 'Composed form (U+00E7, U+00E3).' POST $echo_path type=$json body=$'{"message":"a\xC3\xA7\xC3\xA3o"}'
vector text-nfd 'Decomposed form of text-nfc (c U+0327, a U+0303): not normalised, so another sign.' \
  POST $echo_path type=$json body=$'{"message":"ac\xCC\xA7a\xCC\x83o"}'
vector text-bom-first 'A byte order mark at the start is signed.' \
  POST $echo_path type=$json body=$'\xEF\xBB\xBF{"message":"hello"}'
vector text-bom-inside 'U+FEFF inside a string is signed.' POST $echo_path type=$json body=$'{"message":"a\xEF\xBB\xBFb"}'
vector text-zero-width 'U+200B, U+200D and U+2060 are signed.' \
  POST $echo_path type=$json body=$'{"message":"a\xE2\x80\x8Bb\xE2\x80\x8Dc\xE2\x81\xA0d"}'
vector text-next-line 'U+0085 is neither CR nor LF: signed.' POST $echo_path type=$json body=$'{"message":"a\xC2\x85b"}'
vector text-line-separator 'U+2028 and U+2029 are neither CR nor LF: signed.' \
  POST $echo_path type=$json body=$'{"message":"a\xE2\x80\xA8b\xE2\x80\xA9c"}'
vector text-vertical-tab 'U+000B is neither CR nor LF: signed.' POST $echo_path type=$json body=$'{"message":"a"}\x0B'
vector text-form-feed 'U+000C is neither CR nor LF: signed.' POST $echo_path type=$json body=$'{"message":"a"}\x0C'
vector text-no-break-space 'U+00A0 at the ends is no blank to trim: signed.' \
  POST $echo_path type=$json body=$'\xC2\xA0{"message":"a"}\xC2\xA0'

# --- path and query -------------------------------------------------------------------------------------------------
vector query-ignored 'The query is not signed: the same sign as json-compact.' \
  POST $echo_path query='trace=1&x=%7B%7D' type=$json body='{"message":"hello"}'
vector query-with-escaped-break 'Escaped CR and LF in the query are not signed either: as get-without-body.' \
  GET $issuance/nfe-7 query='x=a%0D%0Ab'
vector query-with-question-mark 'Only the first question mark ends the path: as get-without-body.' \
  GET $issuance/nfe-7 query='a?b=/openapi/demo/echo'
vector path-variables 'empresaId and nfeId as sent: letter case, dot, dash, underscore, tilde.' \
  GET /openapi/v2/empresas/Emp.A-9_b~Z/nf-e/NFe-2026.09_x~Y
vector path-variables-lower-case 'path-variables in lower case: another path, another sign.' \
  GET /openapi/v2/empresas/emp.a-9_b~z/nf-e/nfe-2026.09_x~y
vector path-percent-encoded 'Escapes stay as they stand on the request line, in either letter case.' \
  GET $issuance/2026%2F001%20%C3%A7%c3%a3%0D%0A
vector chave-lookup 'The chave is part of the signed path.' \
  GET /openapi/v3/consultas/nf-e/41170706117473000150550010000463201612756527
vector cnpj-lookup 'The CNPJ is part of the signed path.' GET /openapi/v3/consultas/cnpj/11222333000181
vector cpf-lookup 'CPF and birth date are both part of the signed path.' \
  GET /openapi/v3/consultas/cpf/52998224725/01021990
vector cpf-lookup-other-birth-date 'cpf-lookup with another birth date: another sign.' \
  GET /openapi/v3/consultas/cpf/52998224725/02021990
vector retired-post 'A retired path is signed like any other.' \
  POST /openapi/nfe/verify/chave type=$json body='{"chave":"41170706117473000150550010000463201612756527"}'
vector retired-get 'A retired lookup: its path variables are signed as well.' \
  GET /openapi/cadastro/cpf/52998224725/01021990

# --- multipart ------------------------------------------------------------------------------------------------------
part_head=$'Content-Disposition: form-data; name='
multipart=$'--Limite7\r\n'$part_head$'"arquivo"; filename="a1.pfx"\r\nContent-Type: application/x-pkcs12\r\n\r\n'
multipart+=$'0\x82\x0B\x11\x02\x01\x03\xFF\xFE\r\n'
multipart+=$'--Limite7\r\n'$part_head$'"senha"\r\n\r\n1234\r\n--Limite7--\r\n'
vector multipart 'A multipart body is signed as empty, whatever it carries.' \
  POST $certificado type='multipart/form-data; boundary=Limite7' body="$multipart" signed=
vector multipart-mixed-case 'Media types have no letter case: Multipart/Form-Data is signed as empty too.' \
  POST $certificado type='Multipart/Form-Data; Boundary="Limite7"' body="$multipart" signed=
vector multipart-no-parts 'Nor is a multipart body without parts signed: as multipart.' \
  POST $certificado type='multipart/form-data; boundary=Limite7' body=$'--Limite7--\r\n' signed=
vector multipart-named-in-json 'JSON that only speaks of multipart is signed like all JSON.' \
  POST $certificado type="$json; note=multipart" body='{"type":"multipart/form-data"}'

# --- XML ------------------------------------------------------------------------------------------------------------
vector xml-crlf 'XML with CR LF: signed without them, sent with them.' POST $verification type=$xml \
  body=$'<nfeProc versao="4.00">\r\n  <NFe>\r\n    <xNome>Padaria</xNome>\r\n  </NFe>\r\n</nfeProc>\r\n'
vector xml-lf-with-declaration 'XML with a declaration, LF and tabs: the tabs are signed.' POST $verification type=$xml \
  body=$'<?xml version="1.0" encoding="UTF-8"?>\n<nfeProc versao="4.00">\n\t<NFe/>\n</nfeProc>\n'
vector xml-one-line 'XML on one line, as the authority sends it.' POST $verification type='text/xml; charset=utf-8' \
  body='<?xml version="1.0" encoding="UTF-8"?><nfeProc versao="4.00"><NFe><xMun>São Paulo</xMun></NFe></nfeProc>'
vector xml-character-references 'References to CR and LF are text, not line breaks: signed.' POST $verification type=$xml \
  body='<nfeProc versao="4.00"><xObs>a&#13;&#10;b&#xD;&#xA;c</xObs></nfeProc>'

# --- size -----------------------------------------------------------------------------------------------------------
long=
for ((count = 0; count < 1000; count++)); do long+=abcdefghij; done
vector body-long 'A string of 10,000 characters: more than any one read of a socket need give.' \
  POST $echo_path type=$json body="{\"message\":\"$long\"}"

# --- token and timestamp --------------------------------------------------------------------------------------------
vector token-punctuation 'The token is signed verbatim, with the characters of base64 and base64url.' \
  POST $echo_path type=$json body='{"message":"hello"}' token='aB+/c.D_e-9=='
vector token-percent 'The token is not decoded.' \
  POST $echo_path type=$json body='{"message":"hello"}' token='a%2Bb%20c'
vector timestamp-short 'The timestamp is signed as its text, however far from now.' \
  POST $echo_path type=$json body='{"message":"hello"}' timestamp=1
vector timestamp-leading-zeros 'Zeros in front are signed, whatever a gateway thinks of such a timestamp.' \
  POST $echo_path type=$json body='{"message":"hello"}' timestamp=0001790000000
vector timestamp-other-second 'json-compact one second later: another sign.' \
  POST $echo_path type=$json body='{"message":"hello"}' timestamp=1790000001
vector digits-in-body 'Nothing separates body and timestamp: 1 and 1790000000 hash like 11 and 790000000.' \
  POST $echo_path type=$json body=1 timestamp=1790000000
vector digits-in-timestamp 'The other half of digits-in-body: another body and timestamp, the same sign.' \
  POST $echo_path type=$json body=11 timestamp=790000000

printf '\n]\n'
