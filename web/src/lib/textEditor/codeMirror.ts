/** CodeMirror as the editor uses it. It lives in a shadow tree: there it adopts its style sheets instead of writing `<style>`
 * elements, which the content security policy refuses. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, Transaction, type Extension } from '@codemirror/state';
import { EditorView, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { editorLook } from './look';
import { indentOf, replacement } from './texts';

const HINT = 'keys';
/** A change that did not come from the user's keyboard. */
const fromOutside = Annotation.define<boolean>();

export interface EditorTexts {
  /** The name of the text, for screen readers, and how one leaves it with the keyboard. */
  label: string;
  hint: string;
  /** What CodeMirror says in English, and what is said instead. */
  phrases: Record<string, string>;
}

export interface TextField {
  /** Shows this text instead; the cursor stays where it can. */
  show(text: string): void;
  speak(texts: EditorTexts): void;
  colour(language: Extension): void;
  find(): void;
  focus(): void;
  close(): void;
}

interface Wanted {
  text: string;
  prose: boolean;
  texts: EditorTexts;
  changed: (text: string) => void;
}

export function openTextField(host: HTMLElement, { text, prose, texts, changed }: Wanted): TextField {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const hint = document.createElement('span');
  hint.id = HINT;
  hint.hidden = true;
  root.append(hint);
  const [descriptions, languages] = [new Compartment(), new Compartment()];
  const described = ({ label, hint: keys, phrases }: EditorTexts): Extension => {
    hint.textContent = keys;
    return [EditorState.phrases.of(phrases), EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': HINT })];
  };
  const view = new EditorView({
    parent: root,
    root,
    doc: text,
    extensions: [
      descriptions.of(described(texts)),
      languages.of([]),
      editorLook,
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      history(),
      indentOnInput(),
      indentUnit.of(indentOf(text)),
      EditorState.tabSize.of(4),
      bracketMatching(),
      highlightSelectionMatches(),
      search({ top: true }),
      keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
      prose ? [EditorView.lineWrapping, EditorView.contentAttributes.of({ spellcheck: 'true', autocapitalize: 'sentences', autocorrect: 'on' })] : [],
      // Files that are dropped are uploaded, wherever they are dropped.
      EditorView.domEventHandlers({ drop: (event) => event.dataTransfer?.types.includes('Files') ?? false }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !update.transactions.some((one) => one.annotation(fromOutside))) changed(update.state.doc.toString());
      }),
    ],
  });
  return {
    show: (wanted) => {
      const changes = replacement(view.state.doc.toString(), wanted);
      if (changes) view.dispatch({ changes, annotations: [fromOutside.of(true), Transaction.addToHistory.of(false)] });
    },
    speak: (wanted) => view.dispatch({ effects: descriptions.reconfigure(described(wanted)) }),
    colour: (language) => view.dispatch({ effects: languages.reconfigure(language) }),
    find: () => void openSearchPanel(view),
    focus: () => view.focus(),
    close: () => {
      view.destroy();
      hint.remove();
    },
  };
}
