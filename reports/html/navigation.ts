import { markup, type Markup } from './markup.ts';
import { said } from './said.ts';

const places = [
  { id: 'error', title: said('What stopped it', 'O que a parou') },
  { id: 'findings', title: said('Findings', 'Achados') },
  { id: 'map', title: said('At a glance', 'De relance') },
  { id: 'changes', title: said('What changed', 'O que mudou') },
  { id: 'trust', title: said('What it rests on', 'Em que se apoia') },
  { id: 'failures', title: said('Failures', 'Falhas') },
  { id: 'stale', title: said('Stale known deviations', 'Desvios conhecidos vencidos') },
  { id: 'warnings', title: said('Warnings', 'Avisos') },
  { id: 'known', title: said('Known deviations', 'Desvios conhecidos') },
  { id: 'clauses', title: said('All clauses', 'Todas as cláusulas') },
  { id: 'not-exercised', title: said('Not exercised', 'Não exercitadas') },
  { id: 'blocked', title: said('Blocked', 'Bloqueadas') },
  { id: 'withheld', title: said('Withheld', 'Retidas') },
  { id: 'unobservable', title: said('Unobservable', 'Inobserváveis') },
  { id: 'observed', title: said('As observed', 'Observado') },
  { id: 'history', title: said('History', 'Histórico') },
] as const;

/** Links to the sections that a page has, as its main part shows. */
export function navigation(main: Markup): Markup {
  const there = places.filter(({ id }) => main.html.includes(`<section id="${id}"`));
  const links = [...there, { id: 'run', title: said('The run', 'A execução') }];
  return markup`<nav aria-labelledby="nav-title"><h2 id="nav-title" class="unseen">${said('Sections', 'Seções')}</h2><ul>${links.map(
    ({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`,
  )}</ul></nav>`;
}
