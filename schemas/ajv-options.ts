/**
 * How schemas of the project's own are compiled. They are known to be schemas, by tests, and each is asked a few times in a
 * process: to compile the meta-schema and to optimise what comes of them takes longer than all that they are asked.
 */
export const ownSchemas = { meta: false, validateSchema: false, code: { optimize: false } } as const;
