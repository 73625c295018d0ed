"""Code that several tools use. Defines no tool and imports none: tools do not know each other."""
