/** The embedding models on this machine. The first counts unless another is chosen. */
export const MULTILINGUAL = 'embedded/multilingual-768';
export const STATIC = 'embedded/static-256';
export const MINILM = 'embedded/minilm-384';

export const isChoosable = ({ model }: { model: string }): boolean => model !== MULTILINGUAL;
