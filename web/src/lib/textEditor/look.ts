/** How the editor looks: the colours and sizes of the page, which reach into its shadow tree as custom properties. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const theme = EditorView.theme({
  '&': { flex: '1', minHeight: '0', minWidth: '0', background: 'var(--page)', color: 'var(--text)', fontSize: '14px' },
  '&.cm-focused': { outline: 'none' }, // CodeField draws it: gutters would cover it
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { padding: 'var(--s3) 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 var(--s4)' },
  '.cm-gutters': { borderRight: '1px solid var(--line)', background: 'var(--page)', color: 'var(--muted)' },
  '.cm-gutters .cm-gutterElement': { padding: '0 var(--s2) 0 var(--s3)' },
  '.cm-activeLine': { background: 'transparent' },
  '.cm-activeLineGutter': { background: 'transparent', color: 'var(--text)' },
  '.cm-content ::selection': { background: 'light-dark(#c9d0fb, #3a4277)' },
  '.cm-selectionMatch': { background: 'var(--chosen)' },
  '.cm-searchMatch': { background: 'light-dark(#ffe9a0, #57480f)', outline: 'none' },
  '.cm-searchMatch.cm-searchMatch-selected': { background: 'light-dark(#ffd04d, #806a10)' },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--chosen)', outline: '1px solid var(--edge)' },
  '&.cm-focused .cm-nonmatchingBracket': { background: 'var(--danger-soft)' },
  '.cm-specialChar': { color: 'var(--danger)' },
  '.cm-panels': { background: 'var(--side)', color: 'var(--text)', fontFamily: 'var(--font)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 'var(--s1)', padding: 'var(--s2) 40px var(--s2) var(--s3)' },
  '.cm-panel.cm-search br': { flexBasis: '100%', height: '0', content: '""' },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '4px', margin: '0 var(--s1)', fontSize: 'var(--t2)' },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0', width: '16px', height: '16px', accentColor: 'var(--accent-solid)' },
  '.cm-textfield': {
    flex: '1 1 140px',
    maxWidth: '280px',
    minHeight: '32px',
    margin: '0',
    padding: '0 var(--s2)',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--r1)',
    background: 'var(--raised)',
    color: 'var(--text)',
    font: 'inherit',
    fontSize: 'var(--t2)',
  },
  '.cm-button': {
    minHeight: '32px',
    margin: '0',
    padding: '0 10px',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--r1)',
    background: 'var(--raised)',
    backgroundImage: 'none',
    color: 'var(--text)',
    font: 'inherit',
    fontSize: 'var(--t2)',
    cursor: 'pointer',
  },
  '.cm-button:hover': { background: 'var(--hover)' },
  '.cm-button:focus-visible, .cm-textfield:focus-visible, .cm-panel [name=close]:focus-visible, .cm-panel input:focus-visible': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-panel.cm-search [name=close]': { top: '6px', right: '6px', width: '32px', height: '32px', color: 'var(--muted)', fontSize: '20px', cursor: 'pointer' },
  // Beside the keyboard of a phone there is little room.
  '@media (max-width: 640px)': { '.cm-panel.cm-search [name=select], .cm-panel.cm-search label:has([name=re]), .cm-panel.cm-search label:has([name=word])': { display: 'none' } },
  // Smaller letters make some phones magnify the page when one begins to type.
  '@media (pointer: coarse)': { '&': { fontSize: '16px' }, '.cm-textfield': { minHeight: '40px', fontSize: '16px' }, '.cm-button': { minHeight: '40px' } },
});

const colours = HighlightStyle.define([
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.typeName, tags.className, tags.tagName, tags.operatorKeyword, tags.modifier], color: 'var(--accent)' },
  { tag: [tags.string, tags.regexp, tags.inserted, tags.special(tags.string)], color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.propertyName, tags.attributeName, tags.literal], color: 'var(--warn)' },
  { tag: [tags.deleted, tags.invalid], color: 'var(--danger)' },
  { tag: tags.heading, color: 'var(--accent)', fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.link, color: 'var(--accent)', textDecoration: 'underline' },
  { tag: tags.url, color: 'var(--ok)' },
  { tag: tags.monospace, color: 'var(--warn)' },
  { tag: tags.quote, color: 'var(--muted)' },
]);

export const editorLook: Extension = [theme, syntaxHighlighting(colours)];
