/** Whose trouble it is that something could not be judged, or does not hold. */
export const troubles = ['target', 'network', 'settings', 'suite'] as const;

export type Trouble = (typeof troubles)[number];
