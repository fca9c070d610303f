import type { Texts } from './texts.ts';

/** What is said of the way to a target, and of what stands in it. */
export const networkTexts: Texts = {
  // DNS and TCP
  '{} is an address itself': '{} já é um endereço',
  "{} can't be looked up ({})": 'não dá para resolver {} ({})',
  '{} has no address': '{} não tem endereço',
  '{w} is {ip}': '{} é {}',
  '{w} is {ip} and {n} address more': '{} é {} e mais {} endereço',
  '{w} is {ip} and {n} addresses more': '{} é {} e mais {} endereços',
  'no name server answers: check the network, or set HTTPS_PROXY where one is needed':
    'nenhum servidor de nomes responde: confira a rede, ou defina HTTPS_PROXY onde for preciso',
  'check the spelling of the address; a name of an internal network may need its VPN, or HTTPS_PROXY':
    'confira a grafia do endereço; um nome de rede interna pode precisar da VPN dela, ou de HTTPS_PROXY',
  "{} can't be reached ({})": 'não dá para alcançar {} ({})',
  '{} answers after {} ({})': '{} responde após {} ({})',
  'nothing listens there: check the port, or start the server':
    'nada escuta ali: confira a porta, ou inicie o servidor',
  'nothing answers there: check the address, the firewall and the VPN, or set HTTPS_PROXY where one is needed':
    'nada responde ali: confira o endereço, o firewall e a VPN, ou defina HTTPS_PROXY onde for preciso',
  'there is no way to that address: check the network and the VPN':
    'não há caminho até esse endereço: confira a rede e a VPN',
  'check the address, the network and the proxy': 'confira o endereço, a rede e o proxy',
  'the host has no address': 'o host não tem endereço',
  'there is no connection': 'não há conexão',
  '{} of the proxy in {}': '{} do proxy em {}',
  // TLS
  'the certificate of {} {*} ({})': 'o certificado de {} {} ({})',
  'is self-signed': 'é autoassinado',
  'comes from an authority that this machine does not know': 'vem de uma autoridade que esta máquina não conhece',
  'comes without its chain, or from an authority that this machine does not know':
    'vem sem a sua cadeia, ou de uma autoridade que esta máquina não conhece',
  'has expired': 'expirou',
  'is not valid yet': 'ainda não é válido',
  'is for another host': 'é de outro host',
  'set NODE_EXTRA_CA_CERTS to a PEM file': 'defina NODE_EXTRA_CA_CERTS com um arquivo PEM',
  '{*} with that certificate, if you trust the server': '{} com esse certificado, se você confia no servidor',
  "{*} with the certificate of that authority (of your company's proxy, maybe)":
    '{} com o certificado dessa autoridade (do proxy da sua empresa, talvez)',
  'have the server send its intermediate certificates, or {*} with them':
    'faça o servidor enviar os certificados intermediários, ou {} com eles',
  "have it renewed; and see that this machine's date is right":
    'peça a renovação; e veja se a data desta máquina está certa',
  "see that this machine's date is right": 'veja se a data desta máquina está certa',
  'set NFE_BASE_URL to a host that it names; an IP address is seldom among them':
    'defina NFE_BASE_URL com um host que ele nomeia; um endereço IP raramente está entre eles',
  'the certificate of {} expires in {*}, on {}': 'o certificado de {} expira em {}, em {}',
  '{n} day': '{} dia',
  '{n} days': '{} dias',
  'have it renewed in time': 'peça a renovação a tempo',
  '{}; {*}; issued by {*}': '{}; {}; emitido por {}',
  'an authority without name': 'uma autoridade sem nome',
  '{} does not speak TLS there ({})': '{} não fala TLS ali ({})',
  'check the port, or use http:// in NFE_BASE_URL': 'confira a porta, ou use http:// em NFE_BASE_URL',
  'the handshake with {} failed ({})': 'a negociação TLS com {} falhou ({})',
  'check the network and what stands in between': 'confira a rede e o que está no caminho',
  'not looked at through {}: the echo below tells': 'não examinado através de {}: o echo abaixo diz',
  '{*}; {} through {N} ({})': '{}; {} através de {} ({})',
  'none: plain http on this machine': 'nenhum: http simples nesta máquina',
  'none: App Secrets travel unencrypted over plain http':
    'nenhum: os App Secrets viajam sem criptografia em http simples',
  'use https:// in NFE_BASE_URL': 'use https:// em NFE_BASE_URL',
  // Proxies and certificate authorities
  '{} does not connect to {} ({})': '{} não se conecta a {} ({})',
  'put its user and password into {}: http://user:password@host:port':
    'ponha o usuário e a senha dele em {}: http://user:password@host:port',
  'put its user and password into {}, http://user:password@host:port':
    'ponha o usuário e a senha dele em {}, http://user:password@host:port',
  'check NFE_BASE_URL and {}; name the host in NO_PROXY if it is reached straight':
    'confira NFE_BASE_URL e {}; ponha o host em NO_PROXY se ele é alcançado direto',
  'check that proxy, or name the host in NO_PROXY if it is reached straight; {*}':
    'confira esse proxy, ou ponha o host em NO_PROXY se ele é alcançado direto; {}',
  'the proxy asks who you are: put user and password into HTTP_PROXY or HTTPS_PROXY, http://user:password@host:port':
    'o proxy pergunta quem você é: ponha usuário e senha em HTTP_PROXY ou HTTPS_PROXY, http://user:password@host:port',
  'it takes an address such as http://proxy.example:3128, or its absence':
    'aceita um endereço como http://proxy.example:3128, ou a sua ausência',
  'it is no address of a proxy': 'não é o endereço de um proxy',
  'none is set: every address is reached straight': 'nenhum definido: todo endereço é alcançado direto',
  '{N} through {N} ({})': '{} através de {} ({})',
  'through {N} ({})': 'através de {} ({})',
  '{N} straight': '{} direto',
  '{N} straight, by NO_PROXY': '{} direto, por NO_PROXY',
  'straight, by NO_PROXY': 'direto, por NO_PROXY',
  'none: the simulator is on this machine': 'nenhum: o simulador está nesta máquina',
  'it takes a file of certificates in PEM form (-----BEGIN CERTIFICATE-----), or its absence':
    'aceita um arquivo de certificados em PEM (-----BEGIN CERTIFICATE-----), ou a sua ausência',
  'only the usual certificate authorities are trusted': 'só se confia nas autoridades certificadoras usuais',
  "{} can't be read ({})": 'não dá para ler {} ({})',
  '{} holds no certificate in PEM form': '{} não tem certificado em PEM',
  "certificate {} in {} can't be read": 'não dá para ler o certificado {} em {}',
  '{n} certificate in {}': '{} certificado em {}',
  '{n} certificates in {}': '{} certificados em {}',
  '{*}, {n} of them expired': '{}, {} deles expirados',
  '{*}, expired on {} at the latest': '{}, expirados até {}',
  'ask the issuer for the present one': 'peça ao emissor o atual',
  // What answers
  'no response': 'sem resposta',
  'no response ({})': 'sem resposta ({})',
  'nothing ({})': 'nada ({})',
  'ETIMEDOUT: no complete answer within {} s': 'ETIMEDOUT: sem resposta completa em {} s',
  '{n} without a body': '{} sem corpo',
  '{w} speaks TLS, not plain http ({*})': '{} fala TLS, não http simples ({})',
  'set NFE_BASE_URL to {}': 'defina NFE_BASE_URL com {}',
  'set NFE_BASE_URL to {} if the service has moved there': 'defina NFE_BASE_URL com {} se o serviço mudou para lá',
  '{*} and nothing': '{} e nada',
  '{w} answers {*} to everything, also to a request that makes no sense':
    '{} responde {} a tudo, também a uma requisição sem sentido',
  'a portal or a stub stands in place of the service: check NFE_BASE_URL and the network':
    'um portal ou um stub está no lugar do serviço: confira NFE_BASE_URL e a rede',
  '{*}, through {N} ({})': '{}, através de {} ({})',
  '{w} gives no answer ({})': '{} não responde ({})',
  '{w} answers {*}': '{} responde {}',
  'answers {*}': 'responde {}',
  'wait until the limit is over, ask for a higher one for this application, or set NFE_MAX_RPS lower':
    'espere o limite passar, peça um maior para esta aplicação, ou defina um NFE_MAX_RPS menor',
  '{*} with an HTML page to the first requests': '{} com uma página HTML às primeiras requisições',
  '{*} to the first requests': '{} às primeiras requisições',
  'check NFE_BASE_URL: it ends where /openapi begins': 'confira NFE_BASE_URL: termina onde /openapi começa',
  '{*}: no echo endpoint is there': '{}: não há endpoint de echo ali',
  '{*}, and holds /openapi itself': '{}, e já contém /openapi',
  "the server can't be reached": 'não dá para alcançar o servidor',
  'there is no echo endpoint to ask': 'não há endpoint de echo a perguntar',
  'it is not available now: try again later': 'não está disponível agora: tente mais tarde',
  '{*} with an HTML page, which the service does not do': '{} com uma página HTML, o que o serviço não faz',
  '{*} stands in between: have this machine let through, or check NFE_BASE_URL':
    '{} está no caminho: peça que esta máquina passe, ou confira NFE_BASE_URL',
  'a login or a portal': 'um login ou um portal',
  'a firewall or a proxy': 'um firewall ou um proxy',
  'a gateway in front of the service asks for a login of its own: have this machine let through':
    'um gateway na frente do serviço pede um login próprio: peça que esta máquina passe',
  '{*} and asks for a login': '{} e pede um login',
  'a firewall or a proxy stands in between: have this machine let through':
    'um firewall ou um proxy está no caminho: peça que esta máquina passe',
  '{*} with {*} where a platform envelope is to be': '{} com {} onde deveria haver um envelope da plataforma',
  'a text': 'um texto',
  nothing: 'nada',
  'answers {}, a redirect to {*}': 'responde {}, um redirecionamento para {}',
  '{w} answers {}, a redirect to {*}': '{} responde {}, um redirecionamento para {}',
  'nowhere that it names': 'um lugar que não diz',
  'check NFE_BASE_URL': 'confira NFE_BASE_URL',
  'a login stands in front of the service: have this machine let through, or set NFE_BASE_URL to an address without it':
    'há um login na frente do serviço: peça que esta máquina passe, ou defina NFE_BASE_URL com um endereço sem ele',
};
