/** The embedding model on this machine that has to be chosen; the other one is always there. */
export const MINILM = 'embedded/minilm-384';

export const isChoosable = ({ model, embedded }: { model: string; embedded: boolean }): boolean => !embedded || model === MINILM;
