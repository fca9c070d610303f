import type { Node } from '../../schemas/finding.ts';
import type { Language, Speech } from '../language.ts';

/** Which of several nodes breaks a rule, in half a sentence. */
export function nodeText(node: Node, { language, say }: Speech): string {
  return nodeWords[language][node.by](node.value === undefined ? node : { ...node, value: say(node.value) });
}

type Words = Readonly<Record<Node['by'], (node: Node) => string>>;

const nodeEnglish: Words = {
  header: ({ name, value, wrong, of }) =>
    value === undefined
      ? `only the nodes do it that say ${wrong} of ${of} values of the header ${name}`
      : `only the node does it that says “${name}: ${value}” (${of} values of that header came)`,
  cookie: ({ wrong, of }) => `only the nodes do it that gave out ${wrong} of ${of} cookies, each time`,
  clock: ({ value }) => `only the node does it whose clock differs from ours by ${value}`,
  address: ({ wrong, of }) => `it comes from ${wrong} of ${of} IP addresses, each time, and from none of the others`,
  connection: ({ wrong, of }) =>
    `it comes over ${wrong} of ${of} connections, each time, and over none of the others: only some nodes do it`,
  turn: ({ wrong, of }) =>
    `it comes ${wrong === 1 ? `every ${nth(of)} time` : `${wrong} times of ${of}, in turn`}: ${wrong} of ${of} nodes that take turns do it`,
  share: ({ of }) =>
    `it comes about one time in ${of}, whatever the connection: as from one node of ${of}, drawn anew for each request, or by what differs from answer to answer, such as the time or what else is asked meanwhile`,
};

const nodePortuguese: Words = {
  header: ({ name, value, wrong, of }) =>
    value === undefined
      ? `só o fazem os nós de ${wrong} de ${of} valores do cabeçalho ${name}`
      : `só o faz o nó que diz “${name}: ${value}” (vieram ${of} valores desse cabeçalho)`,
  cookie: ({ wrong, of }) => `só o fazem os nós que deram ${wrong} de ${of} cookies, todas as vezes`,
  clock: ({ value }) => `só o faz o nó cujo relógio difere do nosso em ${value}`,
  address: ({ wrong, of }) => `vem de ${wrong} de ${of} endereços IP, todas as vezes, e de nenhum dos outros`,
  connection: ({ wrong, of }) =>
    `vem por ${wrong} de ${of} conexões, todas as vezes, e por nenhuma das outras: só alguns nós o fazem`,
  turn: ({ wrong, of }) =>
    `vem ${wrong} ${wrong === 1 ? 'vez' : 'vezes'} em cada ${of}, por turnos: ${wrong} de ${of} nós que se revezam o fazem`,
  share: ({ of }) =>
    `vem cerca de uma vez em ${of}, em qualquer conexão: como de um nó de ${of}, sorteado a cada requisição, ou pelo que muda de resposta para resposta, como a hora ou o que mais se pede entretanto`,
};

const nodeWords: Readonly<Record<Language, Words>> = { en: nodeEnglish, 'pt-BR': nodePortuguese };

function nth(count: number): string {
  return ({ 2: '2nd', 3: '3rd' } as const)[count] ?? `${count}th`;
}
