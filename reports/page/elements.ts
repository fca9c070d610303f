/** A kind of element, such as `HTMLInputElement`. */
export type Kind<E extends Element> = new () => E;

/** The element that a selector names; throws where the page has none of that kind. */
export function one<E extends Element>(root: ParentNode, selector: string, kind: Kind<E>): E {
  const found = root.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} that fits ${selector}`);
}

/** The elements of a kind that a selector names. */
export function all<E extends Element>(root: ParentNode, selector: string, kind: Kind<E>): E[] {
  return [...root.querySelectorAll(selector)].filter((found): found is E => found instanceof kind);
}

/** The nearest element around what an event came to, itself included; `undefined` where there is none of that kind. */
export function around<E extends Element>(target: EventTarget | null, selector: string, kind: Kind<E>): E | undefined {
  const found = target instanceof Element ? target.closest(selector) : null;
  return found instanceof kind ? found : undefined;
}

/** Writes a text into the slots of a name. */
export function fill(root: ParentNode, slot: string, text: string): void {
  for (const element of all(root, `[data-slot="${slot}"]`, HTMLElement)) element.textContent = text;
}
