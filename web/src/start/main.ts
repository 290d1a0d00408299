import './start.css'
