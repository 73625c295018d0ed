import './styles/tokens.css';
import './styles/base.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { i18n } from './lib/i18n/index.svelte';
import { page } from './lib/state/route.svelte';
import { session } from './lib/state/session.svelte';
import { reloadWhenOutdated } from './lib/state/upgrade';
import { takeLinkToken } from './routes/linkToken';

takeLinkToken();
reloadWhenOutdated();

// Who is signed in and in which language we speak are asked for at the same time. A sign-in link is redeemed first.
if (page.route.page !== 'enter') void session.load();
await i18n.start();
mount(App, { target: document.getElementById('app')! });
