/** Colours a piece of text, or leaves it as it is. */
export type Paint = (colour: 'red' | 'yellow' | 'green' | 'dim' | 'bold', text: string) => string;
