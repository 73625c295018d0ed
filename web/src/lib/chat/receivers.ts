/** Which of the places to write gets the files that are dropped or pasted: the one that asked for them last. */
import { dropReceiver, type Receiver } from '../files/dropEvents';

let waiting: readonly Receiver[] = [];

/** From now on it is this one; returns the way to stop. */
export function receive(receiver: Receiver): () => void {
  put([...waiting, receiver]);
  return () => put(waiting.filter((other) => other !== receiver));
}

/** Only what is dragged over this element; elsewhere on the page files go where they would have gone. */
export function receiveOver(element: HTMLElement, receiver: Receiver): () => void {
  let leave = () => {};
  const moved = ({ type, target, relatedTarget }: DragEvent) => {
    const isLeaving = type === 'dragleave';
    if (isLeaving && relatedTarget !== null) return; // to another element, which says so itself
    leave();
    leave = !isLeaving && element.contains(target as Node) ? receive({ ...receiver, take: (files) => (leave(), receiver.take(files)) }) : () => {};
  };
  addEventListener('dragenter', moved, true);
  addEventListener('dragleave', moved, true);
  return () => {
    leave();
    removeEventListener('dragenter', moved, true);
    removeEventListener('dragleave', moved, true);
  };
}

function put(receivers: readonly Receiver[]): void {
  waiting = receivers;
  dropReceiver.current = waiting.at(-1);
}
