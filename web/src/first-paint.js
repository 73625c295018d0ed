// Runs before the first paint (see plugins/first-paint.ts): the theme and language this device used last.
(function () {
  try {
    var root = document.documentElement;
    var theme = localStorage.getItem('workroom.theme');
    var language = localStorage.getItem('workroom.language');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
    if (language) root.lang = language;
  } catch {
    // Storage refused: the system's theme and English are fine until the app has started.
  }
})();
