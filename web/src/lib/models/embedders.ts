/** The embedding model on this machine that somebody has to choose; the other one is there without a choice. */
export const MINILM = 'embedded/minilm-384';

export const isChoosable = ({ model, embedded }: { model: string; embedded: boolean }): boolean => !embedded || model === MINILM;
