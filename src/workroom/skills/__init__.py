"""Skills: tools whose result is a widget in the conversation. One file each, with the texts of its tool in the sidecar. The
payload is a `Widget`; the page draws it with the component of the same name in `web/src/lib/widgets`."""
